/*
 * list.h: every format, in the order of help; the first is the default. Those
 * of READ() are only read.
 */
FORMAT(csv)
FORMAT(tsv)
FORMAT(json)
FORMAT(raw)
FORMAT(npy)
FORMAT(npz)
FORMAT(safetensors)
FORMAT(png)
FORMAT(svg)
FORMAT(pdf)
FORMAT(gif)
FORMAT(html)
FORMAT(md)
FORMAT(tex)
READ(shards)
READ(gguf)
READ(torch)
READ(onnx)
READ(hdf5)
