import { gunzipSync } from 'node:zlib';
import type { Answer } from '../../verbs/client.ts';

/** The bytes of an answer, unpacked; what is called packed and is not stays as it came. */
export function unpacked({ headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): Buffer {
  if (headers['content-encoding'] !== 'gzip') return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}
