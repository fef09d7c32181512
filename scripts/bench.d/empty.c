/* empty.c: a process that does nothing, linked with what posenc is. */
int main(void)
{
	return 0;
}
