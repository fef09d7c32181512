/* language.c: one row for each word of figures; a language is a column. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "figure/language.h"

const char *const language_words[] = { "en", "ko", NULL };

enum { WORDS = 3, WORD = 80, SENTENCE = 240 };  /* of notes */

static const char *const rows[][LANGUAGES] = {
	/* axes */
	{ "position", "위치" },
	{ "dimension", "차원" },
	{ "dim", "차원" },
	{ "query", "쿼리" },
	{ "key", "키" },
	{ "key \xe2\x88\x92 query", "키 \xe2\x88\x92 쿼리" },
	{ "head", "헤드" },
	{ "pair", "쌍" },
	{ "distance", "거리" },
	{ "bucket", "버킷" },
	{ "frequency", "주파수" },
	{ "row", "행" },
	{ "column", "열" },
	{ "row of the cell", "칸의 행" },
	{ "column of the cell", "칸의 열" },
	{ "cell", "칸" },
	{ "plane", "평면" },
	{ "sequence", "시퀀스" },
	{ "point", "점" },
	{ "axis", "축" },
	{ "table", "표" },
	{ "id", "ID" },
	{ "dimensions", "차원" },
	{ "dimension of P[t + by]", "P[t + by]의 차원" },
	{ "dimension of P[t]", "P[t]의 차원" },
	{ "dimensions (right, up)", "차원 (오른쪽, 위)" },

	/* values */
	{ "value", "값" },
	{ "weight", "가중치" },
	{ "logit", "로짓" },
	{ "bias", "편향" },
	{ "slope", "기울기" },
	{ "angle", "각도" },
	{ "decay", "감쇠" },
	{ "gamma", "감마" },
	{ "dot product", "내적" },
	{ "sine", "사인" },
	{ "cosine", "코사인" },
	{ "sines", "사인" },
	{ "cosines", "코사인" },
	{ "mean cosine", "평균 코사인" },
	{ "upper bound", "상한" },
	{ "relative distance", "상대 거리" },
	{ "difference", "차이" },
	{ "coordinate", "좌표" },
	{ "label", "레이블" },
	{ "factor", "배율" },
	{ "mean, min to max", "평균, 최솟값~최댓값" },
	{ "masked", "가려짐" },
	{ "after the query", "쿼리 뒤" },
	{ "token", "토큰" },
	{ "segment", "세그먼트" },
	{ "sinusoid", "사인파" },
	{ "added", "더한 표" },
	{ "sum", "합" },
	{ "wavelength (positions)", "파장 (위치 수)" },
	{ "before scaling", "확장 전" },
	{ "after scaling", "확장 후" },
	{ "up to the length", "길이 이하" },
	{ "longer than the length", "길이보다 긺" },
	{ "length", "길이" },
	{ "original length", "원래 길이" },

	/* options, in a subtitle */
	{ "feature", "특징" },
	{ "base", "밑" },
	{ "temperature", "온도" },
	{ "scaling", "확장" },
	{ "in steps of %", "간격 %" },
	{ "clipped at %", "한계 %" },
	{ "layout", "배치" },
	{ "pairs", "쌍" },
	{ "interleaved", "교차" },
	{ "split", "분할" },
	{ "window", "윈도" },
	{ "window of %", "윈도 %" },
	{ "by %", "%만큼 이동" },
	{ "maximum exponent %", "최대 지수 %" },
	{ "to %", "크기 %" },
	{ "from %", "%에서" },
	{ " to ", "~" },
	{ " of ", " " },
	{ "grid", "격자" },
	{ "causal", "인과" },
	{ "symmetric", "대칭" },
	{ "full", "전체" },
	{ "binary", "이진" },
	{ "integer", "정수" },
	{ "normalized", "정규화" },
	{ "% mask", "% 마스크" },

	/* titles */
	{ "Sinusoidal positional encoding", "사인파 위치 인코딩" },
	{ "Rotary positions", "회전 위치 인코딩" },
	{ "Cosines of rotary positions",
	  "회전 위치 인코딩의 코사인" },
	{ "Sines of rotary positions", "회전 위치 인코딩의 사인" },
	{ "Rotary frequencies", "회전 주파수" },
	{ "Rotary angles", "회전 각도" },
	{ "Long-term decay of RoPE", "RoPE의 장거리 감쇠" },
	{ "Relative positions", "상대 위치" },
	{ "Relative sinusoids", "상대 사인파" },
	{ "Relative positional features", "상대 위치 특징" },
	{ "DeBERTa's relative positions", "DeBERTa의 상대 위치" },
	{ "Swin's relative positions", "Swin의 상대 위치" },
	{ "Swin's log-spaced coordinates", "Swin의 로그 간격 좌표" },
	{ "Embedding", "임베딩" },
	{ "Position ids", "위치 ID" },
	{ "Naive positions", "단순한 위치 값" },
	{ "Sines and cosines of a grid", "격자의 사인과 코사인" },
	{ "Spherical harmonics", "구면 조화 함수" },
	{ "Gaussian Fourier features", "가우스 푸리에 특징" },
	{ "Perceiver's Fourier features", "Perceiver의 푸리에 특징" },
	{ "Integrated positional encoding", "적분된 위치 인코딩" },
	{ "T5 relative position buckets", "T5 상대 위치 버킷" },
	{ "T5 relative position bias", "T5 상대 위치 편향" },
	{ "Temperature of queries", "쿼리의 온도" },
	{ "RetNet's decay", "RetNet의 감쇠" },
	{ "RetNet's gamma", "RetNet의 감마" },
	{ "Attention mask", "어텐션 마스크" },
	{ "Attention weights", "어텐션 가중치" },
	{ "Attention logits", "어텐션 로짓" },
	{ "Attention values", "어텐션 출력" },
	{ "Dot products of rows", "행끼리의 내적" },
	{ "Cosines of rows", "행끼리의 코사인 유사도" },
	{ "Distances of rows", "행끼리의 거리" },
	{ "Dot products of cells", "칸끼리의 내적" },
	{ "Cosines of cells", "칸끼리의 코사인 유사도" },
	{ "Distances of cells", "칸끼리의 거리" },
	{ "Dot products of rows by distance", "거리별 행의 내적" },
	{ "Shift of a sinusoid", "사인파의 이동" },
	{ "Shifted table", "이동한 표" },
	{ "Resized table", "크기를 바꾼 표" },
	{ "Wavelengths", "파장" },
	{ "Tables", "표" },
	{ "Table", "표" },
};

/*
 * Sentences of notes: '%' stands for words of an axis or numbers, which '%1',
 * '%2' repeat in other languages. The first that a note is applies.
 */
static const char *const sentences[][LANGUAGES] = {
	{ "the first % of % rows", "행 %2개 중 처음 %1개" },
	{ "the first % of %", "%2개 중 처음 %1개" },
	{ "bands: minimum to maximum of about % rows each",
	  "띠: 행 약 %1개씩의 최솟값~최댓값" },
	{ "bands: minimum to maximum of % of about % rows each",
	  "띠: 행 약 %2개마다 그중 %1개의 최솟값~최댓값" },
	{ "bands: minimum to maximum of up to % rows, % of them read",
	  "띠: 행 최대 %1개 중 읽은 %2개의 최솟값~최댓값" },
	{ "bands: minimum to maximum of up to % rows",
	  "띠: 행 최대 %1개의 최솟값~최댓값" },
	{ "lines: the mean of minimum and maximum",
	  "선: 최솟값과 최댓값의 평균" },
	{ "grey: one band of several lines",
	  "회색: 여러 선을 합친 띠" },
	{ "grey: before the rotation", "회색: 회전 전" },
	{ "arcs of more than a turn leave out full turns",
	  "한 바퀴가 넘는 호는 온전한 바퀴를 "
	  "뺀 나머지만 표시" },
	{ "% 0 is not shown", "표시하지 않음: %1 0" },
	{ "no % up to 0 is shown", "표시하지 않음: 0 이하의 %1" },
	{ "values up to 0 are not shown",
	  "표시하지 않음: 0 이하의 값" },
	{ "values that are not finite are not drawn",
	  "표시하지 않음: 유한하지 않은 값" },
	{ "no value can be drawn", "그릴 수 있는 값이 없음" },
	{ "no value is finite", "유한한 값이 없음" },
	{ "values of % and more have one colour",
	  "%1 이상의 값은 모두 같은 색" },
	{ "% \xc3\x97 % values", "값 %1 \xc3\x97 %2개" },
	{ "each pixel is the first of % \xc3\x97 %",
	  "픽셀마다 값 %1 \xc3\x97 %2개 중 첫째" },
	{ "each pixel is the mean of % \xc3\x97 %, even and odd columns "
	  "separately (% of the rows)",
	  "픽셀마다 값 %1 \xc3\x97 %2개의 평균"
	  "(짝수 열과 홀수 열은 따로, "
	  "행은 %3개만)" },
	{ "each pixel is the mean of % \xc3\x97 %, even and odd columns "
	  "separately",
	  "픽셀마다 값 %1 \xc3\x97 %2개의 평균"
	  "(짝수 열과 홀수 열은 따로)" },
	{ "each pixel is the mean of % \xc3\x97 % (% of the rows)",
	  "픽셀마다 값 %1 \xc3\x97 %2개의 평균(행은 %3개만)" },
	{ "each pixel is the mean of % \xc3\x97 %",
	  "픽셀마다 값 %1 \xc3\x97 %2개의 평균" },
	{ "% of % pairs complete a turn within % positions",
	  "쌍 %2개 중 %1개가 위치 %3개 안에 한 바퀴를 돎" },
	{ "% do not turn", "%1개는 돌지 않음" },
	{ "one of % words is shown", "단어 %1개 중 하나만 표시" },
	{ "long words are cut", "긴 단어는 줄임" },
	{ "long names are cut", "긴 이름은 줄임" },
	{ "a long name is cut", "긴 이름은 줄임" },
};

const char *language_text(enum language l, const char *english)
{
	for (size_t i = 0; l && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i][ENGLISH], english) == 0)
			return rows[i][l];
	return english;
}

const char *language_row(size_t i)
{
	return i < sizeof rows / sizeof *rows ? rows[i][ENGLISH] : NULL;
}

void language_count(enum language l, const char *count, const char *one,
		    const char *many, char *to, size_t size)
{
	/* Korean nouns have one form, which the count follows */
	if (l == KOREAN)
		snprintf(to, size, "%s %s개", language_text(l, one), count);
	else
		snprintf(to, size, "%s %s", count,
			 strcmp(count, "1") == 0 ? one : many);
}

/* The words of text in place of each '%' of a pattern, in [words][]. */
static bool matches(const char *text, const char *pattern,
		    char words[WORDS][WORD])
{
	for (size_t i = 0;; i++) {
		size_t n = strcspn(pattern, "%");
		const char *end;

		if (strncmp(text, pattern, n) != 0)
			return false;
		text += n;
		pattern += n;
		if (!*pattern++)
			return !*text;
		n = strcspn(pattern, "%");
		for (end = text; *end && (!n || strncmp(end, pattern, n) != 0);)
			end++;
		snprintf(words[i], WORD, "%.*s", (int)(end - text), text);
		text = end;
	}
}

/* Add n bytes of text to to [size]. */
static void add(char *to, size_t size, const char *text, size_t n)
{
	const size_t at = strlen(to);

	snprintf(to + at, size - at, "%.*s", (int)n, text);
}

/* Add a sentence, with its words in the place that a language has for them. */
static void add_sentence(enum language l, const char *english, char *to,
			 size_t size)
{
	char words[WORDS][WORD];
	const char *shown = NULL;
	size_t n;

	for (size_t i = 0; !shown && i < sizeof sentences / sizeof *sentences;
	     i++)
		if (matches(english, sentences[i][ENGLISH], words))
			shown = sentences[i][l];
	for (; shown && *shown; shown += n) {
		n = strcspn(shown, "%");
		add(to, size, shown, n);
		if (!shown[n])
			return;
		english = language_text(l, words[shown[n + 1] - '1']);
		add(to, size, english, strlen(english));
		n += 2;
	}
	if (!shown)
		add(to, size, english, strlen(english));
}

void language_note(enum language l, const char *english, char *to, size_t size)
{
	char one[SENTENCE];
	size_t n;

	*to = '\0';
	for (; l && *english; english += n + (english[n] ? 2 : 0)) {
		const char *end = strstr(english, "; ");

		n = end ? (size_t)(end - english) : strlen(english);
		snprintf(one, sizeof one, "%.*s", (int)n, english);
		add(to, size, "; ", *to ? 2 : 0);
		add_sentence(l, one, to, size);
	}
	add(to, size, english, strlen(english));
}
