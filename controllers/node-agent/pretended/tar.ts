const blockBytes = 512;

/** An archive (ustar, POSIX.1-1988) of one file. @param path at most 100 bytes are kept of it */
export function tarOf(path: string, content: string, modifiedAt: number): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, size: number) =>
    head.write(`${value.toString(8).padStart(size - 1, '0')}\0`, at, 'latin1');
  head.write(path.replace(/^\/+/, '').slice(0, 100), 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(Math.floor(modifiedAt / 1000), 136, 12);
  head.write('        0', 148, 'latin1');
  head.write('ustar\x0000', 257, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padding = Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes);
  return Buffer.concat([head, bytes, padding, Buffer.alloc(2 * blockBytes)]);
}
