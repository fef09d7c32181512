/*
 * numpy.c: samples of NumPy's default_rng() and of its older RandomState.
 * default_rng() draws normal samples by the ziggurat method (Marsaglia and
 * Tsang 2000) with 256 strips, RandomState by the polar method (Marsaglia and
 * Bray 1964).
 */
#include <math.h>
#include <stdbool.h>

#include "exact/logarithm.h"
#include "random/generators.h"
#include "random/samples.h"
#include "table/never.h"

enum { STRIPS = 256 };

/*
 * The right ends of the strips. The first is the width of the lowest strip with
 * its tail spread over it; the others follow from the top down to the end of
 * the lowest strip. NumPy's table has them times 2^-52; their last bits are
 * those of that table, not of exact arithmetic.
 */
static const double ends[STRIPS] = {
	0x1.f493b7815d979p1, 0x1.b8d0be3fdf6c6p-3, 0x1.250af3c2c5bb4p-2,
	0x1.57cb938443b61p-2, 0x1.801fce82fa70cp-2, 0x1.a230c2e4cd0bcp-2,
	0x1.c004d2f3861f7p-2, 0x1.dac2f5a747274p-2, 0x1.f32482d4cd5c3p-2,
	0x1.04d32278ebbadp-1, 0x1.0f5053b025d43p-1, 0x1.192a697413677p-1,
	0x1.227a28f7a1af5p-1, 0x1.2b52e3863d880p-1, 0x1.33c3fc05791f5p-1,
	0x1.3bd9ec1a2b12fp-1, 0x1.439ef8dff9b55p-1, 0x1.4b1bb363dfea7p-1,
	0x1.52575621ad374p-1, 0x1.59580a707ce96p-1, 0x1.60231cfd97eeap-1,
	0x1.66bd261a37c3dp-1, 0x1.6d2a292000570p-1, 0x1.736dad346f8a6p-1,
	0x1.798ad10b32a77p-1, 0x1.7f845ad46f543p-1, 0x1.855cc53430a77p-1,
	0x1.8b1649e7b769ap-1, 0x1.90b2ea94ecf98p-1, 0x1.96347822c1eeap-1,
	0x1.9b9c98e38c546p-1, 0x1.a0eccdca4a72cp-1, 0x1.a62676d77cd59p-1,
	0x1.ab4ad6e101630p-1, 0x1.b05b16d136c9cp-1, 0x1.b558487427a29p-1,
	0x1.ba4368e529f3ap-1, 0x1.bf1d62abf8232p-1, 0x1.c3e70f9594ef3p-1,
	0x1.c8a13a5323b61p-1, 0x1.cd4c9fe72268bp-1, 0x1.d1e9f0e80b748p-1,
	0x1.d679d29e41f10p-1, 0x1.dafce0023b8c3p-1, 0x1.df73aa9f17653p-1,
	0x1.e3debb5d2edfep-1, 0x1.e83e9337a6f00p-1, 0x1.ec93abdf982cep-1,
	0x1.f0de784f06226p-1, 0x1.f51f654d8f688p-1, 0x1.f956d9e87d7aep-1,
	0x1.fd8537dfa2eacp-1, 0x1.00d56e04234ecp0, 0x1.02e40f5398f9ap0,
	0x1.04eea9e16a5fcp0, 0x1.06f565b72a010p0, 0x1.08f869071f40bp0,
	0x1.0af7d84bc6113p0, 0x1.0cf3d664bcc7fp0, 0x1.0eec84b16086bp0,
	0x1.10e20329515eep0, 0x1.12d4707310fbep0, 0x1.14c3e9f8e9141p0,
	0x1.16b08bfc4201ep0, 0x1.189a71a78da34p0, 0x1.1a81b51ee6d88p0,
	0x1.1c666f8f82acbp0, 0x1.1e48b93e0d42ep0, 0x1.2028a9940a09fp0,
	0x1.2206572c4c6e9p0, 0x1.23e1d7de9c31fp0, 0x1.25bb40ca96bfbp0,
	0x1.2792a661dd37fp0, 0x1.29681c719d71bp0, 0x1.2b3bb62b82edap0,
	0x1.2d0d862e1b853p0, 0x1.2edd9e8cba98ep0, 0x1.30ac10d6e48d7p0,
	0x1.3278ee1f4b930p0, 0x1.3444470265ea1p0, 0x1.360e2baca52d5p0,
	0x1.37d6abe05586ap0, 0x1.399dd6fb2b264p0, 0x1.3b63bbfb83d03p0,
	0x1.3d28698561de0p0, 0x1.3eebede725a83p0, 0x1.40ae571e09e74p0,
	0x1.426fb2da6745dp0, 0x1.44300e83c30a4p0, 0x1.45ef773cac75dp0,
	0x1.47adf9e66c336p0, 0x1.496ba32488f2fp0, 0x1.4b287f602415dp0,
	0x1.4ce49acb311dcp0, 0x1.4ea001638a605p0, 0x1.505abef5e5562p0,
	0x1.5214df20a8b5ap0, 0x1.53ce6d56a664fp0, 0x1.558774e1bb2c8p0,
	0x1.574000e555f78p0, 0x1.58f81c60e8514p0, 0x1.5aafd23241b59p0,
	0x1.5c672d17d733dp0, 0x1.5e1e37b2f8cd3p0, 0x1.5fd4fc89f5e38p0,
	0x1.618b860a31fc3p0, 0x1.6341de8a2b0a2p0, 0x1.64f8104b7260bp0,
	0x1.66ae257c99672p0, 0x1.6864283b13137p0, 0x1.6a1a22950b2b1p0,
	0x1.6bd01e8b343bbp0, 0x1.6d8626128d352p0, 0x1.6f3c43161f854p0,
	0x1.70f27f78b68ebp0, 0x1.72a8e516914c6p0, 0x1.745f7dc70eedcp0,
	0x1.7616535e5731fp0, 0x1.77cd6faeff449p0, 0x1.7984dc8babd93p0,
	0x1.7b3ca3c8b1409p0, 0x1.7cf4cf3db22fbp0, 0x1.7ead68c73dee7p0,
	0x1.80667a486ea1fp0, 0x1.82200dac88676p0, 0x1.83da2ce899f15p0,
	0x1.8594e1fd1f5bdp0, 0x1.875036f7a7ec5p0, 0x1.890c35f47f72dp0,
	0x1.8ac8e9205c043p0, 0x1.8c865aba10c9cp0, 0x1.8e44951446a27p0,
	0x1.9003a2973b58fp0, 0x1.91c38dc288347p0, 0x1.9384612ef0afcp0,
	0x1.954627903a28ap0, 0x1.9708ebb70d5eep0, 0x1.98ccb892e2a31p0,
	0x1.9a919933f99bfp0, 0x1.9c5798cd5d92cp0, 0x1.9e1ec2b6f7411p0,
	0x1.9fe7226fad24ap0, 0x1.a1b0c39f93692p0, 0x1.a37bb21a2c85bp0,
	0x1.a547f9e0bbb88p0, 0x1.a715a724aa9a4p0, 0x1.a8e4c64a0313dp0,
	0x1.aab563e9ff108p0, 0x1.ac878cd5af5cep0, 0x1.ae5b4e18bb336p0,
	0x1.b030b4fc3a11ap0, 0x1.b207cf09a985bp0, 0x1.b3e0aa0e00c00p0,
	0x1.b5bb541ce3d03p0, 0x1.b797db93f8927p0, 0x1.b9764f1e5f73cp0,
	0x1.bb56bdb85256ep0, 0x1.bd3936b2ec0a2p0, 0x1.bf1dc9b81ae83p0,
	0x1.c10486cec16a0p0, 0x1.c2ed7e5f07a2dp0, 0x1.c4d8c136e0d1cp0,
	0x1.c6c6608ec8705p0, 0x1.c8b66e0eba617p0, 0x1.caa8fbd36a2abp0,
	0x1.cc9e1c73bd690p0, 0x1.ce95e3068e037p0, 0x1.d0906328b8f6ep0,
	0x1.d28db1037ef20p0, 0x1.d48de1533c647p0, 0x1.d691096e7f123p0,
	0x1.d8973f4d7fba5p0, 0x1.daa0999206e70p0, 0x1.dcad2f8fc490ep0,
	0x1.debd195522e37p0, 0x1.e0d06fb49d21cp0, 0x1.e2e74c4ea46f6p0,
	0x1.e501c99c1d188p0, 0x1.e72002f97fe25p0, 0x1.e94214b2abf0ap0,
	0x1.eb681c0f76f08p0, 0x1.ed9237610a73ap0, 0x1.efc086101eca9p0,
	0x1.f1f328ac25321p0, 0x1.f42a40fb74d6dp0, 0x1.f665f20c90168p0,
	0x1.f8a6604899782p0, 0x1.faebb187122bfp0, 0x1.fd360d22fe785p0,
	0x1.ff859c118f60bp0, 0x1.00ed447d3a075p1, 0x1.021a8028fc947p1,
	0x1.034a983a902abp1, 0x1.047da4e3ef5c7p1, 0x1.05b3bf6adb37ep1,
	0x1.06ed023a72668p1, 0x1.082988f632e17p1, 0x1.0969708e8a254p1,
	0x1.0aacd7571c0c4p1, 0x1.0bf3dd1eed448p1, 0x1.0d3ea34aa3d30p1,
	0x1.0e8d4cf116593p1, 0x1.0fdffefa69fb6p1, 0x1.1136e04207041p1,
	0x1.129219bbb5d35p1, 0x1.13f1d69c4096dp1, 0x1.1556448602e3bp1,
	0x1.16bf93b9deef3p1, 0x1.182df74d21261p1, 0x1.19a1a564eebacp1,
	0x1.1b1ad777f2f8ep1, 0x1.1c99ca971a694p1, 0x1.1e1ebfbe4ae39p1,
	0x1.1fa9fc2e2d901p1, 0x1.213bc9d04cc81p1, 0x1.22d477a6fd3eep1,
	0x1.24745a4ac9c24p1, 0x1.261bcc77658e0p1, 0x1.27cb2faa8592ep1,
	0x1.2982ecd770e78p1, 0x1.2b437532a0a52p1, 0x1.2d0d43196db97p1,
	0x1.2ee0db1a978f5p1, 0x1.30becd256aeeep1, 0x1.32a7b5e68a4a3p1,
	0x1.349c405ae12a3p1, 0x1.369d27a33a840p1, 0x1.38ab39256410ap1,
	0x1.3ac7570ae88fap1, 0x1.3cf27b31704a6p1, 0x1.3f2dbaa60f475p1,
	0x1.417a49cb9e5dap1, 0x1.43d9815545e94p1, 0x1.464ce44a73a15p1,
	0x1.48d62759c43bcp1, 0x1.4b7739d6b5a27p1, 0x1.4e3250dcd8902p1,
	0x1.5109f53e9ac41p1, 0x1.54011523a7e42p1, 0x1.571b1a94ae41bp1,
	0x1.5a5c08b718dd9p1, 0x1.5dc8a243ad0fep1, 0x1.61669cf861e4cp1,
	0x1.653ce7b006aeap1, 0x1.69540be9fe5c3p1, 0x1.6db6b8d09e232p1,
	0x1.72728f05f7a34p1, 0x1.7799556090673p1, 0x1.7d42df4d6ce8cp1,
	0x1.839030529f234p1, 0x1.8ab0fbfaa7c14p1, 0x1.92ee0946f4496p1,
	0x1.9cbee014057abp1, 0x1.a8fdc7894775ap1, 0x1.b981f3878fdb1p1,
	0x1.d3bb48209ad33p1,
};

/* Uniform in [0, 1): 53 bits. */
static double unit(struct pcg64 *g)
{
	return (double)(pcg64_next(g) >> 11) * 0x1p-53;
}

/* Exponential with mean 1: -log(1 - u), without losing bits of u. */
static double exponential(struct pcg64 *g)
{
	return -log_ratio(1 - unit(g), 1);
}

/* |x| beyond r, the end of the lowest strip (Marsaglia 1964). */
static double tail(struct pcg64 *g)
{
	for (;;) {
		const double x = 0x1.183aa6c20e8c1p-2 * exponential(g);
		const double y = exponential(g);

		if (y + y > x * x)
			return ends[STRIPS - 1] + x;
	}
}

/* e^(-x^2 / 2), 0 <= x <= r, as 1 / e^y: no term of the series is negative. */
static double curve(double x)
{
	const double y = 0.5 * x * x;
	double term = 1, sum = 1;

	for (double n = 1; term > 0x1p-60; n++) {
		term *= y / n;
		sum += term;
	}
	return 1 / sum;
}

static double normal(struct pcg64 *g)
{
	for (;;) {
		const uint64_t bits = pcg64_next(g);
		const size_t i = bits % STRIPS;
		const uint64_t part = bits >> 9 & 0xfffffffffffff;
		const double x = (double)part * 0x1p-52 * ends[i];
		const double inner = i > 1 ? ends[i - 1] :
				     i ? 0 : ends[STRIPS - 1];
		const bool negative = bits >> 8 & 1;
		double low;

		if (x < inner)
			return negative ? -x : x;
		if (!i)
			return part >> 8 & 1 ? -tail(g) : tail(g);
		low = curve(ends[i]);
		if ((curve(inner) - low) * unit(g) + low < curve(x))
			return negative ? -x : x;
	}
}

void numpy_normal(uint64_t seed, size_t n, double *x)
{
	struct pcg64 g;

	pcg64_seed(&g, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = normal(&g);
}

void numpy_uniform(uint64_t seed, size_t n, double *x)
{
	struct pcg64 g;

	pcg64_seed(&g, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = unit(&g);
}

/* RandomState: uniform in [0, 1) from 53 bits, 27 and then 26. */
static double legacy_unit(struct mt19937 *m)
{
	const double high = mt19937_next(m) >> 5;

	return (high * 0x1p26 + (mt19937_next(m) >> 6)) * 0x1p-53;
}

/* The polar method: a random point within the unit circle gives two samples. */
void numpy_legacy_normal(uint32_t seed, size_t n, double *x)
{
	struct mt19937 m;

	mt19937_seed(&m, seed);
	for (size_t i = 0; i < n; i += 2) {
		double a, b, square, factor;

		do {
			a = 2 * legacy_unit(&m) - 1;
			b = 2 * legacy_unit(&m) - 1;
			square = a * a + b * b;
		} while (square >= 1 || NEVER(!(square > 0)));
		factor = sqrt(-2 * log_ratio(square, 1) / square);
		x[i] = factor * b;
		if (i + 1 < n)
			x[i + 1] = factor * a;
	}
}

void numpy_legacy_uniform(uint32_t seed, size_t n, double *x)
{
	struct mt19937 m;

	mt19937_seed(&m, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = legacy_unit(&m);
}
