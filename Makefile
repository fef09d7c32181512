# Makefile: `make` builds build/posenc and the library beside it; files are
# found, never listed. B is the build folder, so that `make asan` is one line.
export B = build
export PREFIX = /usr/local
export LIBDIR = $(PREFIX)/lib
VERSION := $(shell sed -n 's/.*POSENC_VERSION "\(.*\)"/\1/p' src/version.h)
# What scripts/run found, where that is not what is below; then the compiler's own
-include build/config.mk
PKG_CONFIG ?= pkg-config
LD := $(if $(filter default,$(origin LD)),$(shell $(CC) -print-prog-name=ld),$(LD))
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)
CFLAGS ?= -O3 -g
PACKAGES = libpng zlib libcjson freetype2
FONT ?= /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wno-enum-float-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Wvla \
	-Wswitch-enum -Wcast-align -Wcast-qual -Wpointer-arith -Wwrite-strings
# The same bits from every compiler: no fused or reordered arithmetic.
EXACT = -ffp-contract=off -fno-math-errno -fno-trapping-math
# What stands in the way of a fault in memory; sanitizers do without FORTIFY.
MACHINE := $(shell $(CC) -dumpmachine)
HARD = -fPIC -fvisibility=hidden -fstack-protector-strong \
	$(if $(findstring linux,$(MACHINE)),-fstack-clash-protection) \
	$(if $(findstring x86_64,$(MACHINE)),-fcf-protection) \
	$(if $(findstring -fsanitize,$(CFLAGS)),-DSANITIZED,$(if $(filter -O1 -O2 -O3 -Os,\
	$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)) \
	-ffile-prefix-map='$(subst ','\'',$(CURDIR))'=.
HARD_LINK = $(if $(findstring linux,$(MACHINE)),-z relro -z now -z noexecstack)
COMPILE = $(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc $(CPPFLAGS) $(WARN) \
	$(EXACT) $(HARD) $(CFLAGS)
USE := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
MPFR := $(shell $(PKG_CONFIG) --libs mpfr 2>/dev/null)
# Threads and dlopen(), which loads FreeType, have libraries of their own before glibc 2.34
SYSTEM = -pthread -ldl -lm
LINK := $(shell $(PKG_CONFIG) --libs $(filter-out freetype2,$(PACKAGES))) $(SYSTEM)

# Folders of the library, then those that only the program has.
LIBRARY = table exact text random recipe waves encodings views identify resize compare
PROGRAM = files formats containers checkpoint model conversions figure cli
LIB = $(wildcard src/*.c $(LIBRARY:%=src/%/*.c))
CLI = src/cli/main.c
TOOL = $(filter-out $(CLI),$(wildcard $(PROGRAM:%=src/%/*.[cS])))
UNITS = $(patsubst %.c,$(B)/%.o,$(wildcard tests/*.c))
objects = $(patsubst %.S,$(B)/%.o,$(patsubst %.c,$(B)/%.o,$(1)))

SO = libposenc.so.$(firstword $(subst ., ,$(VERSION)))

all: $(B)/posenc $(B)/libposenc.a $(B)/$(SO)

# All of the library's parts, for the program, the tests and pages; then its face.
$(B)/parts.a: $(call objects,$(LIB) $(wildcard src/web/*.c))
	rm -f $@; $(AR) rcs $@ $^

$(B)/libposenc.a: $(call objects,$(LIB))
	$(LD) -r -o $(B)/libposenc.o $^
	$(OBJCOPY) --localize-hidden $(B)/libposenc.o
	rm -f $@; $(AR) rcs $@ $(B)/libposenc.o

$(B)/$(SO): $(call objects,$(LIB)) src/posenc.map
	$(CC) $(CFLAGS) $(HARD_LINK) $(LDFLAGS) -shared -Wl,-soname,$(SO) \
	-Wl,--version-script=src/posenc.map -o $@ $(filter %.o,$^) $(SYSTEM)

$(B)/posenc: $(call objects,$(CLI) $(TOOL)) $(B)/parts.a
	$(CC) $(CFLAGS) $(HARD_LINK) $(LDFLAGS) -pie -o $@ $^ $(LINK)

include scripts/web.d/page.mk

# All unit tests in one program, whose calls of these functions tests/units.c and others watch
WATCHED = malloc calloc realloc free pthread_mutex_lock pthread_mutex_unlock clock_gettime
$(B)/tests/units: $(UNITS) $(call objects,$(TOOL)) $(B)/parts.a
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $(WATCHED:%=-Wl,--wrap=%) -o $@ $^ -lcmocka $(LINK)

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(COMPILE) $(USE) -MMD -MP -c -o $@ $<

$(B)/%.o: %.S $(FONT)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DFONT='"$(FONT)"' -c -o $@ $<

$(B)/verify/%: tests/deep/verify/%.c $(B)/parts.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(MPFR) $(LINK)

$(B)/faults/%.so: tests/deep/faults/%.c tests/deep/faults/calls.c tests/deep/faults/%.h
	@mkdir -p $(@D)
	$(CC) $(WARN) -O1 -shared -fPIC -o $@ $(filter %.c,$^) -ldl

$(B)/faults/%: tests/deep/faults/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(WARN) -O1 -o $@ $<

FAULTS = $(if $(findstring linux-gnu,$(MACHINE)),$(B)/faults/preload.so $(B)/faults/step)

programs: all $(B)/tests/units $(FAULTS) $(if $(MPFR),$(B)/verify/cells $(B)/verify/axes)

# The quick set of tests, what it leaves out, both, and what of these uses memory
check check-rest check-all check-memory: programs
	@tests/run $(patsubst check%,%,$@)

asan:
	$(MAKE) B=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all" check-memory

# Cells beside MPFR (libmpfr-dev), digits beside std::to_chars (g++), compilers.
verify: all $(B)/verify/cells $(B)/verify/axes
	tests/deep/verify/all

# What identify says about thousands of tables that others make; SEED picks them.
foreign: all
	$$(tests/python) tests/foreign.py 24 $(SEED)

# Parts of a table by GNU parallel, and by Slurm; the page of explore in a browser
cluster web-check: all
	tests/$@

# Longer looks, each with a build of its own; tests/deep/README.md says what they are.
short fuzz faults powercut integer memory thread valgrind cover mcdc prove mutate reproduce figures:
	tests/deep/run $@

# Scripts of these names; each says what it does.
bench gallery man lint install dist deb: all
bench gallery man lint install dist deb:
	scripts/$@

uninstall:
	scripts/install -u

print-warnings:
	@echo $(WARN)

clean:
	rm -rf $(filter-out build/config.mk build/web/explore.html build/web,$(wildcard build/* build/web/*))

.PHONY: all programs check check-rest check-all check-memory short asan verify foreign faults powercut cluster integer \
	memory thread valgrind cover mcdc prove mutate reproduce figures bench gallery man lint install \
	dist deb fuzz web web-check uninstall print-warnings clean
.SECONDARY:
-include $(wildcard $(B)/src/*.d $(B)/src/*/*.d $(B)/tests/*.d $(PAGE:%.c=$(B)/web/%.d))
