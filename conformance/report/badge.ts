import { countVerdicts, exitCodeOf, type PartyReport } from './summary.ts';

/** Pixels that a character of the badge's font takes, about. */
const characterWidth = 6.6;
const widthOf = (text: string): number => Math.round(text.length * characterWidth + 12);

const colours = { good: '#1c7a3d', open: '#8a5a00', bad: '#b3261e' };

/** A badge that tells what was judged and what came of it. */
export function badge(report: PartyReport): string {
  const { pass, warn, fail, error } = countVerdicts(report.results);
  const code = exitCodeOf(report);
  const label = `conformance${report.profiles.length > 0 ? `: ${report.profiles.join(', ')}` : ''}`;
  const found = code === 1 ? `${fail + error} of ${pass + warn + fail + error} broken` : `${pass + warn} rules kept`;
  const colour = code === 1 ? colours.bad : code === 4 ? colours.open : colours.good;
  const [left, right] = [widthOf(label), widthOf(found)];
  const text = (x: number, words: string): string =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${found}"><title>${label}: ${found}</title><clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#round)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>${text(left / 2, label)}${text(left + right / 2, found)}</svg>\n`;
}
