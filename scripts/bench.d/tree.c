/* tree.c: prints a table through a tree of cJSON numbers. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const int n = argc > 3 ? atoi(argv[1]) : 1, d = argc > 3 ? atoi(argv[2]) : 2;
	float *row = malloc((size_t)d * sizeof *row);
	cJSON *all = cJSON_CreateArray();
	FILE *out = fopen(argv[3], "w");
	char *text;

	for (int p = 0; p < n; p++) {
		for (int k = 0; k < d / 2; k++) {
			const double w = pow(10000, -2.0 * k / d);

			row[2 * k] = (float)sin(p * w);
			row[2 * k + 1] = (float)cos(p * w);
		}
		cJSON_AddItemToArray(all, cJSON_CreateFloatArray(row, d));
	}
	text = cJSON_PrintUnformatted(all);
	fputs(text, out);
	free(text);
	cJSON_Delete(all);
	free(row);
	return fclose(out) != 0;
}
