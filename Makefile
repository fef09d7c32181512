# Makefile: `make` builds build/posenc and build/libposenc.a; files are found,
# never listed. B is the build folder, so that `make asan` is one line.
B = build
CC ?= cc
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O3 -g
PACKAGES = libpng libcjson

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Wvla \
	-Wcast-align -Wcast-qual -Wpointer-arith -Wwrite-strings
# The same bits from every compiler: no fused or reordered arithmetic.
EXACT = -ffp-contract=off -fno-math-errno -fno-trapping-math
HARD = -fPIE -fstack-protector-strong -fvisibility=hidden
COMPILE = $(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc $(CPPFLAGS) $(WARN) \
	$(EXACT) $(HARD) $(CFLAGS)
USE := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
MPFR := $(shell $(PKG_CONFIG) --libs mpfr 2>/dev/null)
LINK := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lm

LIB = $(wildcard src/*.c src/core/*.c src/encodings/*.c src/views/*.c)
TOOL = $(wildcard src/figure/*.c src/formats/*.c)
CLI = $(wildcard src/cli/*.c)
UNITS = $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*.c))
objects = $(patsubst %.c,$(B)/%.o,$(1))

all: $(B)/posenc $(B)/libposenc.a

$(B)/libposenc.a: $(call objects,$(LIB))
	$(AR) rcs $@ $^

$(B)/posenc: $(call objects,$(CLI) $(TOOL)) $(B)/libposenc.a
	$(CC) $(CFLAGS) $(LDFLAGS) -pie -o $@ $^ $(LINK)

$(B)/tests/%: tests/%.c $(call objects,$(TOOL)) $(B)/libposenc.a
	@mkdir -p $(@D)
	$(COMPILE) $(USE) -MMD -MP -o $@ $< $(filter %.o %.a,$^) \
	$(LDFLAGS) -lcmocka $(LINK)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) $(USE) -MMD -MP -c -o $@ $<

$(B)/verify/cells: tests/verify/cells.c $(B)/libposenc.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(MPFR) -lm

check: all $(UNITS) $(if $(MPFR),$(B)/verify/cells)
	B=$(B) tests/run

asan:
	$(MAKE) B=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined,float-cast-overflow \
	-fno-sanitize-recover=all" check

# Cells beside MPFR (libmpfr-dev), digits beside std::to_chars (g++), compilers.
verify: all $(B)/verify/cells
	$(CXX) -std=c++17 -O2 -Isrc -o $(B)/verify/digits \
	tests/verify/digits.cc $(B)/src/formats/digits.o \
	$(B)/src/formats/number.o $(B)/libposenc.a
	$(B)/verify/cells
	$(B)/verify/digits
	tests/verify/same

bench: all
	scripts/bench

lint:
	scripts/lint

print-warnings:
	@echo $(WARN)

clean:
	rm -rf build

.PHONY: all check asan verify bench lint print-warnings clean
.SECONDARY:
-include $(wildcard $(B)/src/*.d $(B)/src/*/*.d $(B)/tests/*.d)
