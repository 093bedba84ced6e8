import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations } from '../write-tables.fixture.ts';
import { flowSchema } from './flow-schema.ts';
import { priorityLevelConfiguration } from './priority-level-configuration.ts';

const subject = { kind: 'User', user: { name: 'jane' } };
const resourceRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const spec = (fields: object = {}) => ({ spec: { priorityLevelConfiguration: { name: 'low' }, ...fields } });
const rule = (fields: object) => spec({ rules: [{ subjects: [subject], resourceRules: [resourceRule], ...fields }] });

describe('FlowSchema', () => {
  creations(flowSchema, [
    ['a level', spec(), []],
    ['a rule', rule({}), []],
    ['nothing', {}, ['spec.priorityLevelConfiguration.name Required']],
    ['very late', spec({ matchingPrecedence: 10_001 }), ['spec.matchingPrecedence Invalid']],
    ['first of all', spec({ matchingPrecedence: 1 }), ['spec.matchingPrecedence Invalid']],
    [
      'an unknown flow',
      spec({ distinguisherMethod: { type: 'ByMood' } }),
      ['spec.distinguisherMethod.type NotSupported'],
    ],
    ['nobody', rule({ subjects: [] }), ['spec.rules[0].subjects Required']],
    [
      'somebody else than said',
      rule({ subjects: [{ kind: 'User', group: { name: 'g' } }] }),
      ['spec.rules[0].subjects[0].group Forbidden', 'spec.rules[0].subjects[0].user Required'],
    ],
    ['nothing to do', rule({ resourceRules: [] }), ['spec.rules[0] Required']],
    [
      'no namespaces',
      rule({ resourceRules: [{ ...resourceRule, namespaces: [] }] }),
      ['spec.rules[0].resourceRules[0].namespaces Required'],
    ],
    [
      'all verbs and one',
      rule({ resourceRules: [{ ...resourceRule, verbs: ['*', 'get'] }] }),
      ['spec.rules[0].resourceRules[0].verbs Invalid'],
    ],
    [
      'a verb that is none',
      rule({ resourceRules: [{ ...resourceRule, verbs: ['look'] }] }),
      ['spec.rules[0].resourceRules[0].verbs NotSupported'],
    ],
    [
      'paths',
      rule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*', '*'] }] }),
      ['spec.rules[0].nonResourceRules[0].nonResourceURLs Invalid'],
    ],
    [
      'all and others: the others are not looked at',
      rule({
        resourceRules: [{ ...resourceRule, verbs: ['*', 'look'], namespaces: ['*', 'A'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*', 'a'] }],
      }),
      [
        'spec.rules[0].resourceRules[0].verbs Invalid',
        'spec.rules[0].resourceRules[0].namespaces Invalid',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs Invalid',
      ],
    ],
    [
      'an account that is none',
      rule({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: '*' } }] }),
      [
        'spec.rules[0].subjects[0].serviceAccount.name Invalid',
        'spec.rules[0].subjects[0].serviceAccount.namespace Invalid',
      ],
    ],
    [
      'all accounts of a namespace',
      rule({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'n' } }] }),
      [],
    ],
    [
      'an empty segment of a path',
      rule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/', '/a/', '/a/*', '/a//b'] }] }),
      ['spec.rules[0].nonResourceRules[0].nonResourceURLs[3] Invalid'],
    ],
    [
      'paths that are none',
      rule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a*b', 'x'] }] }),
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0] Invalid',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1] Invalid',
      ],
    ],
  ]);
});

test('tables list FlowSchemas as requests are matched', () => {
  const schema = (name: string, matchingPrecedence: number) => ({
    ...sample(flowSchema, spec({ matchingPrecedence }), { name }),
  });
  const all = [schema('c', 10), schema('b', 9), schema('a', 10)];
  expect(all.sort(flowSchema.table?.order).map(({ metadata }) => metadata.name)).toEqual(['b', 'a', 'c']);
});

describe('PriorityLevelConfiguration', () => {
  const limited = (fields: object) => ({ spec: { type: 'Limited', limited: fields } });
  const queuing = (fields: object) => limited({ limitResponse: { type: 'Queue', queuing: fields } });
  const at = 'spec.limited.limitResponse';
  creations(priorityLevelConfiguration, [
    ['one that rejects', limited({ limitResponse: { type: 'Reject' } }), []],
    ['one that queues', queuing({}), []],
    ['nothing', {}, ['spec.type NotSupported']],
    ['an exempt one of another name', { spec: { type: 'Exempt' } }, ['spec.type Invalid']],
    ['the exempt one', { metadata: { name: 'exempt' }, spec: { type: 'Exempt' } }, []],
    [
      'the exempt one with another type',
      { metadata: { name: 'exempt' }, spec: { type: 'Other' } },
      ['spec.type NotSupported', 'spec.type Invalid', 'spec Invalid'],
    ],
    [
      'the one for all with other shares',
      {
        metadata: { name: 'catch-all' },
        spec: { type: 'Limited', limited: { assuredConcurrencyShares: 7, limitResponse: { type: 'Reject' } } },
      },
      ['spec Invalid'],
    ],
    ['a limit that is not told', { spec: { type: 'Limited' } }, ['spec.limited Required']],
    [
      'queues where it rejects',
      limited({ limitResponse: { type: 'Reject', queuing: {} } }),
      [`${at}.queuing Forbidden`],
    ],
    ['no queues where it queues', limited({ limitResponse: { type: 'Queue' } }), [`${at}.queuing Required`]],
    ['a hand larger than all queues', queuing({ queues: 4, handSize: 5 }), [`${at}.queuing.handSize Invalid`]],
    ['a hand too large to draw', queuing({ queues: 10_000_000, handSize: 5 }), [`${at}.queuing.handSize Invalid`]],
    ['more queues than there may be', queuing({ queues: 10_000_001, handSize: 1 }), [`${at}.queuing.queues Invalid`]],
  ]);

  test('gets its defaults', async () => {
    const { object } = await tryCreate(priorityLevelConfiguration, sample(priorityLevelConfiguration, queuing({})));
    expect(object).toMatchObject(queuing({ queues: 64, handSize: 8, queueLengthLimit: 50 }));
  });
});
