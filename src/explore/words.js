/*
 * words.js: what the page says, in the reader's language. Modules have it in English;
 * each language has its words here, beside those that figures have in the library, of
 * axes, values and titles. Commands, options and what the library refuses stay.
 */
const WORDS = {
	ko: {
		/* The head of the page */
		"Copy": "복사", "Copied": "복사함", "Reset": "처음으로",
		"the command of this encoding": "이 인코딩의 명령",
		"the parameters that the page began with": "페이지를 열었을 때의 매개변수로 되돌립니다",
		"the values, as posenc --csv writes them": "posenc --csv가 쓰는 그대로의 값",
		"Theme": "테마", "theme": "테마", "auto": "자동", "light": "밝게", "dark": "어둡게",
		"Language": "언어", "language": "언어", "parameters": "매개변수",
		"this page does not work in this browser: %1": "이 브라우저에서는 이 페이지가 작동하지 않습니다: %1",
		"out of memory": "메모리가 부족합니다",
		"this page shows at most %1 values, and this table has %2; the command makes it":
			"이 페이지는 값을 %1개까지 보여 주는데 이 표에는 %2개가 있습니다. 명령으로는 만들 수 있습니다",

		/* Controls */
		"scheme": "방식", "More options": "다른 옵션", "%1, slider": "%1 슬라이더",
		"none": "없음", "(default)": "(기본값)",
		"T5 buckets": "T5 버킷", "relative": "상대 위치", "naive": "단순한 값", "mask": "마스크",
		"keys": "키", "before": "앞", "behind": "뒤", "rows": "행", "columns": "열",
		"the conventions of a project": "프로젝트의 관례",
		"positions, one row each": "위치 수, 위치마다 한 행",
		"base (theta) of the frequencies": "주파수의 밑 (theta)",
		"position of the first row": "첫 행의 위치",
		"order of sines and cosines": "사인과 코사인의 순서",
		"divisor of the exponent": "지수의 제수",
		"frequencies for longer contexts": "더 긴 문맥을 위한 주파수",
		"values to show": "보여 줄 값",
		"columns that turn together": "함께 도는 열",
		"buckets, of both directions": "양방향 버킷 수",
		"from here on, all in the last bucket": "여기부터는 모두 마지막 버킷",
		"no keys after the query": "쿼리 뒤의 키 없음",
		"position of the first query": "첫 쿼리의 위치",
		"distances beyond it count as it": "이보다 먼 거리는 이 거리로 셈",
		"convention": "관례",
		"key − query, or query − key": "키 − 쿼리 또는 쿼리 − 키",
		"attention heads, a slope each": "어텐션 헤드 수, 헤드마다 기울기 하나",
		"which keys a query sees": "쿼리가 보는 키",
		"exponent of the last slope, 2^−X": "마지막 기울기 2^−X의 지수",
		"order of the bits": "비트의 순서",
		"value of position p of n": "n개 중 위치 p의 값",
		"−1 in place of 0": "0 대신 −1",
		"cells of the image": "이미지의 칸",
		"project whose columns to use": "열의 순서를 따를 프로젝트",
		"keys that a query attends to": "쿼리가 주목하는 키",
		"attention": "어텐션",
		"how attention knows positions": "어텐션이 위치를 아는 방법",
		"keys that a query sees": "쿼리가 보는 키",
		"each takes an equal share of the columns": "헤드 수, 열을 똑같이 나눠 가짐",
		"a word for each position": "위치마다 단어 하나",
		"words of the table, of random vectors": "표의 단어 수, 벡터는 무작위",
		"length of their vectors": "단어 벡터의 길이",
		"other random vectors": "다른 무작위 벡터",
		"biases of keys after the query": "쿼리 뒤 키의 편향",
		"of these, every D-th": "그중 D번째마다 하나",
		"values of visible and masked keys": "보이는 키와 가려진 키의 값",

		/* Views */
		"Values": "값", "Waves": "파동", "Clocks": "시계", "Similarity": "유사도",
		"Similarity by distance": "거리별 유사도", "Row": "행", "Maps": "지도",
		"Similarity of cells": "칸의 유사도",
		"save %1 as %2": "%1: %2 파일로 저장",
		"zoom in": "확대", "zoom out": "축소", "all": "전체", "show the whole table": "표 전체 보기",
		"play": "재생", "stop": "정지",
		"move the cursor from position to position": "커서를 다음 위치로 계속 옮깁니다",
		"%1 values, %2": "값 %1개, %2",
		"pairs of columns": "열의 쌍", "neighbours": "이웃한 열", "halves": "앞뒤 절반",
		"value %1": "값 %1", "wavelength %1": "파장 %1", "pair %1": "쌍 %1", "turn: %1": "한 바퀴: %1",
		"heat map": "히트맵",
		"heat map: arrow keys move the cursor, plus and minus zoom, Enter draws the column as a wave or removes it":
			"히트맵: 화살표 키로 커서를 옮기고, 더하기와 빼기로 확대와 축소를 하고, Enter로 열을 파동으로 그리거나 지웁니다",
		"chosen columns as lines": "고른 열의 선 그래프",
		"pairs of columns as hands of clocks": "시곗바늘로 나타낸 열의 쌍",
		"cosine similarity of every pair of rows": "모든 두 행의 코사인 유사도",
		"cosine similarity by distance": "거리별 코사인 유사도",
		"values by distance from query to key": "쿼리에서 키까지의 거리별 값",
		"chosen columns as maps of the cells": "칸의 지도로 나타낸 고른 열",
		"similarity to the cell under the cursor": "커서가 있는 칸과의 유사도",
		"%1 %2: click to remove its line": "%1 %2: 누르면 선을 지웁니다",
		"show %1 %2": "%1 %2 보기",
		"rows apart": "행 간격",
		"%1s %2 and %3: cosine %4": "%1 %2, %3: 코사인 %4",
		"with row %1, column %2": "행 %1, 열 %2의 칸과",
		"all values equal the encoding's": "모든 값이 인코딩과 같습니다",
		"differs from the encoding by %1, in row %2, column %3":
			"인코딩과 %1 다릅니다 (행 %2, 열 %3)",
		"differs from the encoding by at most %1, in row %2, column %3":
			"인코딩과 최대 %1 다릅니다 (행 %2, 열 %3)",

		/* Formulas; those that end with a colon are no equations */
		"a key after the query:": "쿼리 뒤의 키:",
		"the position itself:": "위치 자체:",
		"bit %1 of %2": "%2의 비트 %1",
		"column %1, position %2:": "열 %1, 위치 %2:",
		"column %1, not %2:": "열 %1, %2 아님:",
		"%1, clipped to ±%2": "%1, ±%2까지 자름",
		"at the query": "쿼리 자리",
		"%1 after the query": "쿼리 뒤 %1칸", "%1 before the query": "쿼리 앞 %1칸",
		"%1, never seen:": "%1, 보지 않음:",
		"%1, in its own bucket:": "%1, 혼자 쓰는 버킷:",
		"%1, in a shared bucket:": "%1, 함께 쓰는 버킷:",

		/* Captions */
		"Each line is a column; click one of the heat map to add it. In fast ones neighbours differ, slow ones tell far positions apart.":
			"선 하나가 열 하나입니다. 히트맵의 열을 누르면 선이 더해집니다. 빠른 열은 이웃한 위치를, 느린 열은 먼 위치를 구별합니다.",
		"A sine and its cosine are the hand of a clock. A row of the table is what all clocks show; smaller dots are the positions before.":
			"사인과 그 코사인이 시곗바늘 하나가 됩니다. 표의 한 행은 모든 시계가 가리키는 것이고, 작은 점은 그 앞의 위치들입니다.",
		"Cosine of every pair of rows. If every diagonal has one colour, the similarity depends on the distance alone.":
			"모든 두 행의 코사인입니다. 대각선마다 색이 하나이면 유사도는 거리에만 달려 있습니다.",
		"Each map is a column, drawn at its place in the image. Some change down the image, some across.":
			"지도 하나가 열 하나이며, 값을 이미지의 제자리에 그립니다. 어떤 열은 위아래로, 어떤 열은 좌우로 바뀝니다.",
		"The cell under the cursor with every cell. Move it: what is near is alike, in both directions.":
			"커서가 있는 칸을 모든 칸과 비교합니다. 커서를 옮겨 보세요. 가로로든 세로로든 가까운 칸이 비슷합니다.",
		"The row under the cursor with all others; grey: all pairs of rows. Where only the distance counts, the grey is as thin as the line.":
			"커서가 있는 행과 다른 모든 행입니다. 회색은 모든 두 행입니다. 거리만 중요하면 회색이 선만큼 가늘어집니다.",
		"The values as they are, in the table's own rows and columns.":
			"표의 행과 열에 있는 값 그대로입니다.",
		"The values of the table minus those of the encoding.":
			"표의 값에서 인코딩의 값을 뺀 것입니다.",
		"The values of the row under the cursor.": "커서가 있는 행의 값입니다.",
		"A row for each position, a column for each dimension. On the left waves are short, on the right they are so long that hardly anything changes.":
			"행은 위치, 열은 차원입니다. 왼쪽은 파장이 짧고, 오른쪽은 아주 길어서 거의 바뀌지 않습니다.",
		"What turns each pair of a query or key at each position: on the left fast, on the right hardly at all.":
			"쿼리나 키의 쌍을 위치마다 얼마나 돌리는지 보여 줍니다. 왼쪽은 빨리 돌고 오른쪽은 거의 돌지 않습니다.",
		"Near distances have a bucket each, farther ones share ever wider ones. Each bucket is one learned number per head.":
			"가까운 거리는 버킷을 하나씩 갖고, 먼 거리는 점점 넓은 버킷을 함께 씁니다. 버킷마다 헤드별로 학습한 수가 하나 있습니다.",
		"The query under the cursor. Steps grow wider with the distance; the last bucket holds all that is farther.":
			"커서가 있는 쿼리입니다. 거리가 멀수록 계단이 넓어지고, 마지막 버킷에는 그보다 먼 거리가 모두 들어갑니다.",
		"Only the distance from query to key counts: every diagonal has one value. Beyond the clip, far is just far.":
			"쿼리에서 키까지의 거리만 중요해서 대각선마다 값이 하나입니다. 한계를 넘으면 모두 같은 거리로 칩니다.",
		"The query under the cursor: a straight line up to the clip, then flat, so any length will do.":
			"커서가 있는 쿼리입니다. 한계까지는 직선이고 그다음은 평평해서, 길이가 얼마든 쓸 수 있습니다.",
		"Every key loses a little for each step away from the query. Each head has a slope of its own.":
			"키는 쿼리에서 한 칸 멀어질 때마다 조금씩 잃습니다. 헤드마다 기울기가 다릅니다.",
		"The query under the cursor, a line for each head: steep ones see what is near, flat ones nearly all.":
			"커서가 있는 쿼리이고, 선 하나가 헤드 하나입니다. 가파른 헤드는 가까운 곳을, 완만한 헤드는 거의 모두를 봅니다.",
		"Integers grow without end, fractions depend on the length, bits jump from one position to the next. Waves do neither.":
			"정수는 끝없이 커지고, 분수는 길이에 달려 있고, 비트는 다음 위치에서 갑자기 바뀝니다. 파동은 그렇지 않습니다.",
		"A row for each cell of an image. Some columns count its rows, the others its columns.":
			"행 하나가 이미지의 칸 하나입니다. 어떤 열은 칸의 행을, 다른 열은 칸의 열을 나타냅니다.",
		"A row for each query, a column for each key: which keys it attends to. Biases such as ALiBi's are added to the rest.":
			"행은 쿼리, 열은 키이며, 쿼리가 어느 키에 주목하는지 보여 줍니다. ALiBi 같은 편향은 나머지에 더해집니다.",
		"Queries down, keys across. Each word comes twice: without positions both places have the same weight; a scheme tells them apart.":
			"행은 쿼리, 열은 키입니다. 단어가 두 번씩 나옵니다. 위치가 없으면 두 곳의 가중치가 같고, 방식을 고르면 달라집니다.",
		"The query under the cursor: what it takes of each key, by distance.":
			"커서가 있는 쿼리가 각 키에서 얼마나 가져오는지 거리별로 보여 줍니다.",
		"The query under the cursor: the keys before and behind it that it attends to.":
			"커서가 있는 쿼리입니다. 앞과 뒤의 어느 키에 주목하는지 보여 줍니다.",
	},
};

export const languages = { en: "English", ko: "한국어" };

let known = {};

/* Speak a language; of_figures: its words of the library. */
export function speak(language, of_figures) {
	document.documentElement.lang = language;
	known = { ...of_figures, ...WORDS[language] };
}

/* A text in that language, with parts in place of %1, %2 and so on. */
export function word(text, ...parts) {
	return parts.reduce((all, part, i) => all.replaceAll(`%${i + 1}`, () => part),
		known[text] ?? text);
}

/* The texts, titles and labels of what is in the page from the beginning. */
export function translate(elements) {
	for (const e of elements) {
		for (const name of ["title", "aria-label"])
			if (e.hasAttribute(name))
				e.setAttribute(name, word(e.getAttribute(name)));
		for (const node of e.childNodes)
			if (node.nodeType === Node.TEXT_NODE)
				node.data = node.data.replace(/\S.*\S/, (text) => word(text));
	}
}
