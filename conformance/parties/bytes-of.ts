/** Bytes of an answer that are read: no party has so much to say. */
const most = 16 * 1024 * 1024;

/** All of an answer's body. @throws Error for one that does not come to an end */
export async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) throw new Error(`the answer goes on after ${most} bytes`);
  }
  return Buffer.concat(chunks);
}
