/* font.c: the faces of a font, their glyphs and names, by FreeType. */
#include "figure/font_face.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure/font_find.h"
#include "table/library.h"

/* The font file, linked into the program. */
extern const unsigned char font_file[];
extern const unsigned font_file_size;

enum {
	EMS_MOST = 8,         /* how far a glyph may reach, */
	UNITS_MOST = 0x3fff,  /* and as a number, which 16 bits hold twice */
	POINTS_MOST = 8000,   /* of an outline */
};

/*
 * FreeType may do without what it gets no memory for, such as a name or a
 * renderer: a figure would then differ. So the failure is kept.
 */
static void *note_memory(FT_Memory memory, void *p)
{
	struct font *f = memory->user;

	f->failed |= !p;
	return p;
}

static void *take_memory(FT_Memory memory, long n)
{
	return note_memory(memory, malloc((size_t)n));
}

static void *resize_memory(FT_Memory memory, long now, long n, void *p)
{
	(void)now;
	return note_memory(memory, realloc(p, (size_t)n));
}

static void return_memory(FT_Memory memory, void *p)
{
	(void)memory;
	free(p);
}

/* Add a face, which f owns from now on. */
static bool add_face(struct font *f, FT_Face face)
{
	FT_Face *faces = realloc(f->faces, (f->count + 1) * sizeof *faces);

	if (!faces) {
		f->ft.Done_Face(face);
		f->failed = true;
		return false;
	}
	f->faces = faces;
	faces[f->count++] = face;
	return true;
}

/* Add the font of a file, if it can be used. */
static bool open_file(struct font *f, const char *path, long index)
{
	FT_Face face;
	const FT_Error error = f->ft.New_Face(f->library, path, index, &face);

	/* Without Unicode characters it has no charmap by default */
	if (!error && FT_IS_SFNT(face) && face->charmap)
		return add_face(f, face);
	if (!error)
		f->ft.Done_Face(face);
	return false;
}

static bool load_freetype(struct font *f, struct error *err)
{
	static const char *const names[] = {
		"libfreetype.so.6", "libfreetype.6.dylib", NULL
	};
	static const struct library_function functions[] = {
#define F(name) { "FT_" #name, offsetof(struct freetype, name), NULL },
		FREETYPE_FUNCTIONS
#undef F
		{ NULL, 0, NULL },
	};
	static const struct library library = {
		"libfreetype6", names, functions
	};

	return library_load(&library, &f->ft, err);
}

/* Begin to use FreeType, without a face. The error goes after its name. */
static bool begin_freetype(struct font *f, struct error *err)
{
	if (!load_freetype(f, err))
		return false;
	f->memory = (struct FT_MemoryRec_){ f, take_memory, return_memory,
					    resize_memory };
	return !f->ft.New_Library(&f->memory, &f->library) || fail_memory(err);
}

static bool open_library(struct font *f, struct error *err)
{
	struct error why = { 0 };
	FT_Face face;

	if (!begin_freetype(f, &why))
		return why.memory ? fail_memory(err)
				  : fail(err, "text in figures needs the "
					 "library FreeType: %s", why.text);
	f->ft.Add_Default_Modules(f->library);
	if (f->ft.New_Memory_Face(f->library, font_file,
				  (FT_Long)font_file_size, 0, &face) ||
	    !add_face(f, face))
		return fail_memory(err);
	return true;
}

static bool open_all(struct font *f, const char *file, struct error *err)
{
	if (!open_library(f, err))
		return false;
	f->given = file;
	if (file && access(file, R_OK) != 0)
		return fail(err, "--font must be a file, such as 'fc-list' "
			    "names, got %.200s: %s", file, strerror(errno));
	if (!file || open_file(f, file, 0))
		return true;
	return f->failed ? fail_memory(err)
			 : fail(err, "--font must be a TrueType or OpenType "
				"file with outlines and Unicode characters, "
				"got %.200s", file);
}

struct font *font_open(const char *file, struct error *err)
{
	struct font *f = calloc(1, sizeof *f);

	if (!f)
		fail_memory(err);
	else if (open_all(f, file, err))
		return f;
	font_close(f);
	return NULL;
}

void font_close(struct font *f)
{
	if (!f)
		return;
	if (f->library)
		f->ft.Done_Library(f->library);
	free(f->faces);
	free(f->raqm);
	free(f->shaped);
	free(f->scratch);
	free(f);
}

bool font_whole(const struct font *f, struct error *err)
{
	if (f->failed)
		return fail_memory(err);
	if (f->search.text[0])
		*err = f->search;
	return !f->search.text[0];
}

void *font_scratch(struct font *f, size_t n)
{
	void *more;

	if (n <= f->room)
		return f->scratch;
	more = realloc(f->scratch, n);
	if (!more) {
		f->failed = true;
		return NULL;
	}
	f->scratch = more;
	f->room = n;
	return more;
}

size_t font_faces(const struct font *f)
{
	return f->used ? f->count : 1;
}

bool font_sane(const struct font *f, size_t i, unsigned glyph)
{
	const FT_Face face = f->faces[i];
	const long ems = (long)EMS_MOST * face->units_per_EM;
	const long most = ems < UNITS_MOST ? ems : UNITS_MOST;
	FT_BBox box;

	if (!i)
		return true;
	if (!font_load(f, face, glyph))
		return false;
	f->ft.Outline_Get_CBox(&face->glyph->outline, &box);
	return box.xMin >= -most && box.yMin >= -most && box.xMax <= most &&
	       box.yMax <= most && face->glyph->advance.x <= most &&
	       face->glyph->outline.n_points <= POINTS_MOST;
}

/* The glyph in face i, or 0. */
static unsigned glyph_in(struct font *f, size_t i, unsigned long character)
{
	const unsigned glyph = f->ft.Get_Char_Index(f->faces[i], character);

	if (!glyph || !i)
		return glyph;
	if (!font_sane(f, i, glyph))
		return 0;
	f->used = true;
	return (unsigned)i << GLYPH_BITS | glyph;
}

static bool is_missing(const struct font *f, unsigned long character)
{
	for (size_t i = 0; i < f->missing_count; i++)
		if (f->missing[i] == character)
			return true;
	return false;
}

/* Ask the system for a font that has the character. */
static unsigned find_glyph(struct font *f, unsigned long character)
{
	char path[FONT_PATH];
	unsigned glyph;
	long index;

	if (f->given || f->search.text[0] ||
	    !font_find(character, path, &index, &f->search) ||
	    !open_file(f, path, index))
		return 0;
	glyph = glyph_in(f, f->count - 1, character);
	if (!glyph)  /* the system has a font, but none of the character */
		f->ft.Done_Face(f->faces[--f->count]);
	return glyph;
}

unsigned font_glyph(struct font *f, unsigned long character)
{
	unsigned glyph = 0;

	for (size_t i = 0; i < f->count && !glyph; i++)
		glyph = glyph_in(f, i, character);
	if (glyph || is_missing(f, character))
		return glyph;
	glyph = find_glyph(f, character);
	if (!glyph && f->missing_count <= MISSING_MOST)
		f->missing[f->missing_count++] = character;
	return glyph;
}

static bool is_hangul(unsigned long c)
{
	return (c >= 0x1100 && c < 0x1200) || (c >= 0x3130 && c < 0x3190) ||
	       (c >= 0xa960 && c < 0xa980) || (c >= 0xac00 && c < 0xd800);
}

static bool is_cjk(unsigned long c)
{
	return (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) ||
	       (c >= 0xff00 && c < 0xfff0) || (c >= 0x20000 && c < 0x40000);
}

/*
 * A package of Debian with a font for the missing letters, or NULL: of CJK it
 * has Hangul, too.
 */
static const char *font_package(const struct font *f)
{
	const char *package = NULL;

	for (size_t i = 0; i < f->missing_count && i < MISSING_MOST; i++)
		if (is_hangul(f->missing[i]))
			package = package ? package : "fonts-nanum";
		else if (is_cjk(f->missing[i]))
			package = "fonts-noto-cjk";
	return package;
}

/* Note the letters that no font has. */
static size_t note_missing(const struct font *f, char *note, size_t room)
{
	const char *package = font_package(f);
	const size_t n = f->missing_count;
	size_t at = (size_t)snprintf(note, room, "%s",
			      f->given ? "the file of --font has no glyph for"
				       : "no font was found that has a glyph "
					 "for");
	for (size_t i = 0; i < n && i < MISSING_MOST; i++)
		at += (size_t)snprintf(note + at, room - at, "%sU+%04lX",
				       i ? ", " : " ", f->missing[i]);
	at += (size_t)snprintf(note + at, room - at, "%s: drawn as a box",
			       n > MISSING_MOST ? " and others" : "");
	if (package)
		at += (size_t)snprintf(note + at, room - at, "; Debian's "
				       "package %s has one, --font FILE names "
				       "another", package);
	else if (!f->given)
		at += (size_t)snprintf(note + at, room - at, "; --font FILE "
				       "names a font");
	return at;
}

void font_note(const struct font *f, char *note, size_t room)
{
	size_t at = 0;

	note[0] = '\0';
	if (f->missing_count)
		at = note_missing(f, note, room);
	if (f->unshaped)
		snprintf(note + at, room - at, "%sU+%04lX and letters like it "
			 "are drawn neither joined nor in order, which takes "
			 "the library libraqm (Debian: libraqm0)",
			 at ? "; " : "", f->unshaped);
}

void font_family(const struct font *f, size_t i, char name[FAMILY_TEXT])
{
	const char *from = f->faces[i]->family_name;
	size_t n = 0;

	for (; from && *from && n + 1 < FAMILY_TEXT; from++)
		if (strchr("-ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrs"
			   "tuvwxyz0123456789", *from))
			name[n++] = *from;
	name[n] = '\0';
}

void font_others(struct font *f, char text[FONTS_TEXT])
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 1; i < font_faces(f) && n < FONTS_TEXT; i++) {
		const TT_Header *h = f->ft.Get_Sfnt_Table(f->faces[i],
							  FT_SFNT_HEAD);
		char family[FAMILY_TEXT];

		font_family(f, i, family);
		n += (size_t)snprintf(text + n, FONTS_TEXT - n,
				      "%s%s %.6g (checksum %08lx)",
				      n ? ", " : "", family,
				      (double)h->Font_Revision / 65536,
				      (unsigned long)h->CheckSum_Adjust &
				      0xffffffff);
	}
}

bool font_version(char text[FONT_VERSION], struct error *err)
{
	struct font f = { 0 };
	int major, minor, patch;

	if (!begin_freetype(&f, err))
		return false;
	f.ft.Library_Version(f.library, &major, &minor, &patch);
	f.ft.Done_Library(f.library);
	snprintf(text, FONT_VERSION, "%d.%d.%d", major, minor, patch);
	return true;
}
