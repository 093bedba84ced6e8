/**
 * Rows of comma-separated values (RFC 4180): fields may stand in double quotes, where commas and line ends are plain
 * text and two quotes are one. Empty lines are left out.
 * @throws Error with the line number when a quote is not closed or stands inside a field
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const quoted = text[at] === '"';
    const field = quoted ? quotedField(text, at, line) : plainField(text, at, line);
    row.push(field.value);
    line += quoted ? field.value.split('\n').length - 1 : 0;
    at = field.end;
    if (text[at] === ',') {
      at++;
      if (at < text.length) continue;
      row.push('');
    }
    if (text.startsWith('\r\n', at)) at++;
    at++;
    line++;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

interface Field {
  readonly value: string;
  /** Where its separator stands. */
  readonly end: number;
}

function plainField(text: string, start: number, line: number): Field {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') end++;
  const value = text.slice(start, text[end] === '\n' && text[end - 1] === '\r' ? end - 1 : end);
  if (value.includes('"')) throw new Error(`line ${line}: a quote inside a field that is not quoted`);
  return { value, end: start + value.length };
}

function quotedField(text: string, start: number, line: number): Field {
  const parts: string[] = [];
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new Error(`line ${line}: a quote is not closed`);
    parts.push(text.slice(from, quote));
    const next = text[quote + 1];
    if (next !== '"') {
      const ended = next === undefined || next === ',' || next === '\n' || text.startsWith('\r\n', quote + 1);
      if (!ended) throw new Error(`line ${line}: text after a quoted field`);
      return { value: parts.join('"'), end: quote + 1 };
    }
    from = quote + 2;
  }
}
