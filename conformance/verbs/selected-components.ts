import type { RuleContext } from './context.ts';
import { nameOf, namesOf } from './states.ts';

const at = { group: '', version: 'v1', resource: 'componentstatuses', kind: 'ComponentStatus', namespaced: false };

/** Also what is looked up when it is asked for, and stored nowhere, is selected. */
export async function selectsComponents({ kind, expect }: RuleContext): Promise<void> {
  const components = kind(at);
  const { status, body } = await components.getAll();
  // Servers without them there are as well.
  if (status !== 200 || !(body?.items?.length > 0)) return;
  const [name] = body.items.map(nameOf);
  const chosen = async (fieldSelector: string, labelSelector = '') =>
    namesOf(await components.list({ fieldSelector, labelSelector }));
  expect(await chosen(`metadata.name=${name}`), 'the state of one component').toEqual([name]);
  expect(await chosen(`metadata.name!=${name}`), 'those of the others').not.toContain(name);
  expect(await chosen('', 'touchstone/none'), 'by a label that none has').toEqual([]);
}
