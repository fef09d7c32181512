# The page of posenc explore: what it takes of the library, as WebAssembly
CLANG ?= $(eval CLANG := $$(or $$(shell scripts/web),$$(error no page of explore)))$(CLANG)
PAGE = $(filter-out %/blocks.c %/library.c %/process.c,$(wildcard src/recipes.c src/figure/colormap.c src/figure/language.c \
	$(wildcard src/views/atten*.c) $(patsubst %,src/views/%.c,cells fft gram similarity softmax) \
	$(patsubst %,src/%/*.c,web $(filter-out views identify resize compare,$(LIBRARY))) scripts/web.d/*.c))

$(B)/web/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CLANG) --target=wasm32-wasi -std=c11 -D_POSIX_C_SOURCE=200809L -D_WASI_EMULATED_MMAN -DWITHOUT_VIEWS \
	-Isrc $(WARN) -Wno-unknown-warning-option $(EXACT) -O2 -MMD -MP -c -o $@ $<

# Its memory may grow to 2 GiB. All that src/web/web.h declares can be called
$(B)/web/posenc.wasm: $(PAGE:%.c=$(B)/web/%.o)
	$(CLANG) --target=wasm32-wasi -nostartfiles -Wl,--no-entry,--fatal-warnings,--gc-sections,--strip-all,\
	--max-memory=2147483648,-z,stack-size=262144,--export=malloc,--export=free \
	$$(sed -n 's/^[a-z][a-z ]*[ *]\(web_[a-z]*\)(.*/-Wl,--export=\1/p' src/web/web.h) \
	-o $@ $^ -lc-printscan-long-double

$(B)/web/explore.html: $(B)/web/posenc.wasm scripts/page $(wildcard src/explore/*)
	scripts/page $@ $<

web: $(B)/web/explore.html
