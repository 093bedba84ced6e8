import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';

const at = { group: '', version: 'v1', resource: 'componentstatuses', kind: 'ComponentStatus', namespaced: false };

/** Also what is looked up when it is asked for, and stored nowhere, is selected. */
export async function selectsComponents({ kind, expect }: RuleContext): Promise<void> {
  const components = kind(at);
  const { status, body } = await components.getAll();
  // Servers without them there are as well.
  if (status !== 200 || !(body?.items?.length > 0)) return;
  const [name] = body.items.map(nameOf);
  // No document asks for them: that there are none may be told by a list of nothing or by none at all.
  const chosen = async (fieldSelector: string, labelSelector = ''): Promise<string[]> => {
    const answer = await components.getAll({ fieldSelector, labelSelector });
    expect(answer.status, `components by ${fieldSelector}${labelSelector}`).toBe(200);
    return (answer.body?.items ?? []).map(nameOf);
  };
  expect(await chosen(`metadata.name=${name}`), 'the state of one component').toEqual([name]);
  expect(await chosen(`metadata.name!=${name}`), 'those of the others').not.toContain(name);
  expect(await chosen('', 'touchstone/none'), 'by a label that none has').toEqual([]);
}
