import { type Measured, type Request, run, type Side } from './load.ts';

export interface Row {
  readonly name: string;
  readonly server: number;
  readonly bare: number;
  readonly unit: string;
  /** Of the server and of the bare one; missing where no single request is measured. */
  readonly cpu?: readonly [number, number];
}

export const rows: Row[] = [];
export type Rate = 'perSecond' | 'bytesPerSecond';
const report = (name: string, server: Measured, bare: Measured, by: Rate) => {
  const unit = by === 'perSecond' ? 'requests/s' : 'MB/s';
  const scale = by === 'perSecond' ? 1 : 1e-6;
  rows.push({ name, server: server[by] * scale, bare: bare[by] * scale, unit, cpu: [server.cpu, bare.cpu] });
};

/** Enough for both sides to be compiled; what comes before that is no server's speed. */
export const rounds = 8;

/** The sides take turns, and the best run of each counts: other work on the machine only ever slows down. */
export async function compare(
  name: string,
  count: number,
  by: Rate,
  [server, mine]: [Side, (i: number, round: number) => Request],
  [bare, theirs]: [Side, (i: number) => Request],
) {
  let best: [Measured, Measured] | undefined;
  for (let round = 0; round < rounds; round++) {
    const pair: [Measured, Measured] = [
      await run(server, count, (i) => mine(i, round)),
      await run(bare, count, theirs),
    ];
    best = best ? [faster(best[0], pair[0]), faster(best[1], pair[1])] : pair;
  }
  if (best) report(name, best[0], best[1], by);
}

const faster = (a: Measured, b: Measured): Measured => ({
  perSecond: Math.max(a.perSecond, b.perSecond),
  bytesPerSecond: Math.max(a.bytesPerSecond, b.bytesPerSecond),
  cpu: Math.min(a.cpu, b.cpu),
});

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`;

/** Prints a line for each case, the server's figures beside those of the bare one. */
export function printRows(): void {
  const cells = (...texts: readonly string[]) => texts.map((text) => text.padStart(12)).join('');
  console.log(`${'case'.padEnd(26)}${cells('server', 'bare', 'ratio', 'CPU us', 'bare', 'ratio')}`);
  for (const { name, server, bare, unit, cpu } of rows) {
    const rate = cells(server.toFixed(0), bare.toFixed(0), percent(server, bare));
    const time = cpu ? cells(cpu[0].toFixed(0), cpu[1].toFixed(0), percent(cpu[1], cpu[0])) : cells('', '', '');
    console.log(`${name.padEnd(26)}${rate}${time}  ${unit}`);
  }
}
