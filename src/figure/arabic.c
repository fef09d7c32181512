/* arabic.c: letters as Unicode's Arabic Presentation Forms. */
#include "figure/arabic.h"

enum { TATWEEL = 0x640, LAM = 0x644, LIGATURES = 0xfef5 };

/* Two forms, isolated and final, or four: initial and medial, too. */
struct forms {
	unsigned long first;
	int count;
};

unsigned long arabic_ligature(unsigned long lam, unsigned long alef)
{
	static const unsigned long alefs[] = { 0x622, 0x623, 0x625, 0x627 };

	for (unsigned long i = 0; lam == LAM && i < 4; i++)
		if (alefs[i] == alef)
			return LIGATURES + 2 * i;
	return 0;
}

/* Of U+0621 to U+064A the forms follow each other from U+FE80 on. */
static struct forms arabic_forms(unsigned long c)
{
	static const char counts[] =
		"122224242444442222444444440000004444444224";
	struct forms f = { 0xfe80, 0 };

	for (unsigned long k = 0x621; k <= c; k++) {
		f.first += (unsigned long)f.count;
		f.count = counts[k - 0x621] - '0';
	}
	return f;
}

static struct forms forms_of(unsigned long c)
{
	static const struct {
		unsigned long c;
		struct forms forms;
	} others[] = {
		{ 0x67e, { 0xfb56, 4 } }, { 0x686, { 0xfb7a, 4 } },
		{ 0x698, { 0xfb8a, 2 } }, { 0x6a9, { 0xfb8e, 4 } },
		{ 0x6af, { 0xfb92, 4 } }, { 0x6cc, { 0xfbfc, 4 } },
		{ LIGATURES, { LIGATURES, 2 } },
		{ LIGATURES + 2, { LIGATURES + 2, 2 } },
		{ LIGATURES + 4, { LIGATURES + 4, 2 } },
		{ LIGATURES + 6, { LIGATURES + 6, 2 } },
	};

	if (c >= 0x621 && c <= 0x64a)
		return arabic_forms(c);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].c == c)
			return others[i].forms;
	return (struct forms){ 0, 0 };
}

/* Whether a letter joins the one after it, and the one before it. */
static bool joins_next(const struct letter *l)
{
	return !l->unjoined && (l->character == TATWEEL ||
			      forms_of(l->character).count == 4);
}

static bool joins_last(const struct letter *l)
{
	return l->character == TATWEEL || forms_of(l->character).count >= 2;
}

void arabic_join(struct letter *l, size_t n)
{
	struct letter *last = NULL;  /* marks are passed over */

	for (size_t i = 0; i < n; i++) {
		const struct forms f = forms_of(l[i].character);

		if (l[i].mark)
			continue;
		if (f.count)
			l[i].shown = f.first;
		if (last && joins_next(last) && joins_last(&l[i])) {
			/* From isolated to initial, from final to medial */
			last->shown += last->character == TATWEEL ? 0 : 2;
			l[i].shown += l[i].character == TATWEEL ? 0 : 1;
		}
		last = &l[i];
	}
}
