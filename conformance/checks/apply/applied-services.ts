import { heldFrom } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';

/** Who serves a version is applied like anything else. It is only tried: all clients would ask for what it names. */
export async function appliesServices({ apiServices, unique, version, expect }: RuleContext): Promise<void> {
  // Servers without them there are as well, and those of old did not know how to merge them.
  if (heldFrom({ from: 21 }, version) || (await apiServices.getAll()).status === 404) return;
  const group = `${unique('applied')}.touchstone.example`;
  const spec = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  const answer = await apiServices.tryApply(`v1.${group}`, { spec }, 'applier', { dryRun: 'All' });
  expect(answer.status, `apply of an APIService: ${said(answer)}`).toBe(201);
  expect(answer.body, 'an APIService').toMatchObject({ kind: 'APIService', spec });
  const [entry] = answer.body.metadata.managedFields ?? [];
  expect(entry, 'of an APIService').toMatchObject({
    ...{ manager: 'applier', operation: 'Apply', apiVersion: 'apiregistration.k8s.io/v1' },
    fieldsV1: { 'f:spec': { 'f:group': {}, 'f:versionPriority': {} } },
  });
}
