/** One block of PEM text. */
export interface PemBlock {
  /** Such as `CERTIFICATE`. */
  readonly label: string;
  /** Whether `Name: value` lines stand before the data. */
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const beginPattern = /^-----BEGIN ([^\r\n]*)-----[ \t\r]*$/;
const endPattern = /^-----END ([^\r\n]*)-----[ \t\r]*$/;
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The blocks of PEM text (RFC 7468), lazily and in order. Text around blocks is passed over, and so are blocks that
 * are cut off, end under another label or hold no base64. One pass over the text.
 */
export function* pemBlocks(pem: Buffer): Generator<PemBlock> {
  let label: string | undefined;
  let lines: string[] = [];
  for (const line of pem.toString('latin1').split('\n')) {
    const begin = line.startsWith('-----') ? beginPattern.exec(line) : null;
    if (begin) {
      label = begin[1];
      lines = [];
      continue;
    }
    if (label === undefined) continue;
    const end = line.startsWith('-----') ? endPattern.exec(line) : null;
    if (!end) {
      lines.push(line);
      continue;
    }
    const block = end[1] === label ? readBlock(label, lines) : undefined;
    if (block) yield block;
    label = undefined;
  }
}

function readBlock(label: string, lines: readonly string[]): PemBlock | undefined {
  let first = 0;
  while (lines[first]?.includes(':')) first++;
  const data = lines
    .slice(first)
    .join('')
    .replace(/[ \t\r]/g, '');
  if (data.length % 4 !== 0 || !base64Pattern.test(data)) return undefined;
  return { label, hasHeaders: first > 0, bytes: Buffer.from(data, 'base64') };
}
