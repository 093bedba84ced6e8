import { describe, expect, it } from 'vitest';
import type { Json } from '../../../verbs/client.ts';
import type { OracleKind } from '../../oracle-kind.ts';
import { configuration, mutating, validating } from './hook-configuration.ts';

describe.each([true, false])('webhooks of a kind (namespaced: %s)', (namespaced) => {
  const kind = { group: 'apps', version: 'v1', resource: 'things', namespaced } as OracleKind;
  const webhooks = (['Mutating', 'Validating'] as const).flatMap((type) => {
    const { body } = configuration(kind, type, type === 'Mutating' ? mutating(kind) : validating(kind));
    return (body as { json: { webhooks: Json[] } }).json.webhooks;
  });

  it('hear of nothing that another scenario makes', () => {
    const open = webhooks.filter(({ objectSelector, namespaceSelector, rules }) => {
      const mayBeWithout = !namespaced || rules[0].resources.some((one: string) => one.startsWith('*'));
      const selects = objectSelector?.matchLabels.app === '<own>';
      return !selects && (mayBeWithout || !namespaceSelector);
    });
    expect(webhooks.length).toBeGreaterThan(10);
    expect(open.map(({ name }) => name)).toEqual([]);
  });
});
