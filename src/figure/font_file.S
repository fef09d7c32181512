/* font_file.S: the font's file, FONT of the Makefile, as it is. */
#ifdef __APPLE__
#define SYMBOL(name) _##name
	.section __TEXT,__const
#else
#define SYMBOL(name) name
	.section .rodata
#endif
	.globl SYMBOL(font_file), SYMBOL(font_file_size)
	.balign 16
SYMBOL(font_file):
	.incbin FONT
font_file_end:
	.balign 4
SYMBOL(font_file_size):
	.long font_file_end - SYMBOL(font_file)
#ifdef __ELF__
	.section .note.GNU-stack, "", %progbits
#endif
