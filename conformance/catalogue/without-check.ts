import { coverageText } from '../report/console.ts';
import { coverageOf } from '../report/summary.ts';
import { beyondTest } from './beyond-test.ts';
import { catalogue } from './catalogue.ts';

/** The rules that other parties than servers are judged by, with the judge of each. */
export async function judgedElsewhere(): Promise<ReadonlyMap<string, string>> {
  const { clientParty } = await import('../parties/client/party.ts');
  const { ingressParty } = await import('../parties/ingress/party.ts');
  const { signerParty } = await import('../parties/signer/party.ts');
  const { webhookParty } = await import('../parties/webhook/party.ts');
  const judged = [clientParty, ingressParty, signerParty, webhookParty].flatMap(({ name, rules }) =>
    rules.flatMap(({ proves }) => proves.map((id) => [id, `touchstone judge ${name}`] as const)),
  );
  return new Map(judged);
}

/** The rules that no check of servers judges: who judges them, or why nobody can, or that nobody does yet. */
export async function withoutCheckText(checked: ReadonlySet<string>): Promise<string> {
  const elsewhere = await judgedElsewhere();
  const left = catalogue.filter(({ id }) => !checked.has(id));
  const lines = left.map(({ id }) => `${id}  ${elsewhere.get(id) ?? beyondTest[id] ?? 'no check yet'}`);
  return [...lines, '', coverageText(coverageOf(checked, elsewhere))].join('\n');
}
