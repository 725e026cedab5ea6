/* Turns an SWX specification into C: swx_codegen IN.spec OUT.c */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <rte_swx_pipeline.h>

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: swx_codegen IN.spec OUT.c\n");
		return 2;
	}
	FILE *spec = fopen(argv[1], "r");
	FILE *code = fopen(argv[2], "w");
	if (!spec || !code) {
		perror(spec ? argv[2] : argv[1]);
		return 1;
	}
	uint32_t line = 0;
	const char *message = "no message";
	int status = rte_swx_pipeline_codegen(spec, code, &line, &message);
	if (status) {
		fprintf(stderr, "%s:%u: %s (%s)\n", argv[1], line, message, strerror(-status));
		return 1;
	}
	return fclose(code) == 0 ? 0 : 1;
}
