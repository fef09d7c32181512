# Makefile: `make` builds build/posenc and the library beside it; files are
# found, never listed. B is the build folder, so that `make asan` is one line.
B = build
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
VERSION := $(shell sed -n 's/.*POSENC_VERSION "\(.*\)"/\1/p' src/version.h)
CC ?= cc
PKG_CONFIG ?= pkg-config
OBJCOPY ?= objcopy
CFLAGS ?= -O3 -g
PACKAGES = libpng libcjson freetype2
FONT ?= /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Wvla \
	-Wcast-align -Wcast-qual -Wpointer-arith -Wwrite-strings
# The same bits from every compiler: no fused or reordered arithmetic.
EXACT = -ffp-contract=off -fno-math-errno -fno-trapping-math
# What stands in the way of a fault in memory; sanitizers do without FORTIFY.
MACHINE := $(shell $(CC) -dumpmachine)
HARD = -fPIC -fvisibility=hidden -fstack-protector-strong \
	$(if $(findstring linux,$(MACHINE)),-fstack-clash-protection) \
	$(if $(findstring x86_64,$(MACHINE)),-fcf-protection) \
	$(if $(findstring -fsanitize,$(CFLAGS)),,$(if $(filter -O1 -O2 -O3 -Os,\
	$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)) \
	-ffile-prefix-map=$(CURDIR)=.
HARD_LINK = $(if $(findstring linux,$(MACHINE)),-z relro -z now -z noexecstack)
COMPILE = $(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc $(CPPFLAGS) $(WARN) \
	$(EXACT) $(HARD) $(CFLAGS)
USE := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
MPFR := $(shell $(PKG_CONFIG) --libs mpfr 2>/dev/null)
LINK := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lm

LIB = $(wildcard src/*.c src/core/*.c src/encodings/*.c src/identify/*.c \
	src/views/*.c)
TOOL = $(wildcard src/figure/*.[cS] src/formats/*.c)
CLI = $(wildcard src/cli/*.c)
UNITS = $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*.c))
objects = $(patsubst %.S,$(B)/%.o,$(patsubst %.c,$(B)/%.o,$(1)))

SO = libposenc.so.$(firstword $(subst ., ,$(VERSION)))

all: $(B)/posenc $(B)/libposenc.a $(B)/$(SO)

# All of the library's parts, for the program and the tests; then its face.
$(B)/parts.a: $(call objects,$(LIB))
	$(AR) rcs $@ $^

$(B)/libposenc.a: $(call objects,$(LIB))
	$(LD) -r -o $(B)/libposenc.o $^
	$(OBJCOPY) --localize-hidden $(B)/libposenc.o
	rm -f $@; $(AR) rcs $@ $(B)/libposenc.o

$(B)/$(SO): $(call objects,$(LIB)) src/posenc.map
	$(CC) $(CFLAGS) $(HARD_LINK) $(LDFLAGS) -shared -Wl,-soname,$(SO) \
	-Wl,--version-script=src/posenc.map -o $@ $(filter %.o,$^) -lm

$(B)/posenc: $(call objects,$(CLI) $(TOOL)) $(B)/parts.a
	$(CC) $(CFLAGS) $(HARD_LINK) $(LDFLAGS) -pie -o $@ $^ $(LINK)

$(B)/tests/%: tests/%.c $(call objects,$(TOOL)) $(B)/parts.a
	@mkdir -p $(@D)
	$(COMPILE) $(USE) -MMD -MP -o $@ $< $(filter %.o,$^) $(B)/parts.a \
	$(LDFLAGS) -lcmocka $(LINK)

$(B)/tests/replay: $(addprefix $(B)/,tests/fuzz/reader.o tests/fuzz/args.o \
	src/cli/args.o src/cli/scope.o)

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(COMPILE) $(USE) -MMD -MP -c -o $@ $<

$(B)/%.o: %.S $(FONT)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DFONT='"$(FONT)"' -c -o $@ $<

$(B)/verify/cells: tests/verify/cells.c $(B)/parts.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(MPFR) -lm

$(B)/faults/%.so: tests/faults/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) -O1 -shared -fPIC -o $@ $<

$(B)/faults/%: tests/faults/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(WARN) -O1 -o $@ $<

ifneq (,$(findstring linux-gnu,$(MACHINE)))
FAULTS = $(B)/faults/preload.so $(B)/faults/step
endif

check: all $(UNITS) $(FAULTS) $(if $(MPFR),$(B)/verify/cells)
	B=$(B) tests/run

asan:
	$(MAKE) B=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined,float-cast-overflow \
	-fno-sanitize-recover=all" check

# Cells beside MPFR (libmpfr-dev), digits beside std::to_chars (g++), compilers.
verify: all $(B)/verify/cells
	$(CXX) -std=c++17 -O2 -Isrc -o $(B)/verify/digits \
	tests/verify/digits.cc $(B)/src/formats/digits.o \
	$(B)/src/formats/number.o $(B)/parts.a
	$(B)/verify/cells
	$(B)/verify/digits
	tests/verify/same

# Every call fails, the program is killed, 5,000 times (15 minutes).
faults: all $(FAULTS)
	B=$(B) tests/faults/long

# Longer looks, each with a build of its own.
integer memory thread valgrind cover prove mutate:
	tests/deep $@

bench: all
	scripts/bench

gallery: all
	B=$(B) scripts/gallery

# fuzz: any bytes to every reader, any words to the program; needs clang.
lint fuzz:
	scripts/$@

man: $(B)/posenc
	B=$(B) scripts/man

install: all
	B=$(B) PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) VERSION=$(VERSION) scripts/install

uninstall:
	PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) VERSION=$(VERSION) scripts/install -u

# A tarball that builds, the same from the same files.
dist:
	@mkdir -p $(B)
	tar --sort=name --mtime=@$${SOURCE_DATE_EPOCH:-0} --owner=0 --group=0 \
	--numeric-owner --transform 's|^|posenc-$(VERSION)/|' -c \
	src man tests scripts Makefile README.md | \
	gzip -n9 >$(B)/posenc-$(VERSION).tar.gz

print-warnings:
	@echo $(WARN)

clean:
	rm -rf build

.PHONY: all check asan verify faults integer memory thread valgrind cover \
	prove mutate bench fuzz gallery lint man install uninstall dist \
	print-warnings clean
.SECONDARY:
-include $(wildcard $(B)/src/*.d $(B)/src/*/*.d $(B)/tests/*.d)
