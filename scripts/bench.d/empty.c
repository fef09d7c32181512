/* empty.c: a process that does nothing, linked with the libraries of posenc. */
int main(void)
{
	return 0;
}
