const lineWidth = 80;

/**
 * A text of one line as it is written where a line has `column` characters already: it goes on in the next line, which
 * begins with `indent`, at its first single space behind the width. It reads back the same.
 */
export function folded(written: string, column: number, indent: string): string {
  if (column + written.length <= lineWidth || written.includes('\n')) return written;
  const lines: string[] = [];
  let start = 0;
  let before = column;
  for (let i = 1; i < written.length - 1; i++) {
    const breaks = before + i - start > lineWidth && written[i] === ' ';
    if (!breaks || written[i - 1] === ' ' || written[i + 1] === ' ') continue;
    lines.push(written.slice(start, i));
    start = i + 1;
    before = indent.length;
  }
  return [...lines, written.slice(start)].join(`\n${indent}`);
}
