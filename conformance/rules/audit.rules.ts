import { auditEvents, auditFlags } from '../lab/audit.ts';
import { defineRule } from '../rule.ts';
import { loseWrite } from '../sabotage/transforms.ts';
import { uncalled } from '../sabotage/webhooks.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { configure, labelling } from '../verbs/webhooks.ts';

const needs = ['webhooks', 'lab'] as const;
const never = loseWrite({ method: 'POST', path: /\/secrets$/ });

/** The event of the create of a Secret, once it has been written down. */
const eventOf = ({ lab, waitUntil }: RuleContext, name: string, level: 'Metadata' | 'Request'): Promise<Json> =>
  waitUntil(
    'the request is in the audit log',
    async () => auditEvents(lab, level).find((event) => event.verb === 'create' && event.objectRef?.name === name),
    (event) => event !== undefined,
  );

export default [
  defineRule('audit.event-shape', {
    needs: ['lab'],
    flags: (lab) => auditFlags(lab, 'Metadata'),
    sabotage: never,
    async check(context) {
      const { metadata } = await context.secrets.create();
      const event = await eventOf(context, metadata.name, 'Metadata');
      context.expect(event).toMatchObject({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata' });
      context.expect(event.annotations).toBeTypeOf('object');
      for (const value of Object.values(event.annotations)) context.expect(value).toBeTypeOf('string');
    },
  }),

  defineRule('audit.mutation', {
    needs,
    flags: (lab) => auditFlags(lab, 'Metadata'),
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { name: configuration } = await configure(context, 'mutating', [
        { respond: () => labelling('a', 'b') },
        {},
      ]);
      const { metadata } = await secrets.create();
      const { annotations } = await eventOf(context, metadata.name, 'Metadata');
      const told = Object.entries(annotations).filter(([key]) =>
        key.startsWith('mutation.webhook.admission.k8s.io/round_0_index_'),
      );
      const values = told
        .map(([, value]) => JSON.parse(value as string))
        .filter((value) => value.configuration === configuration);
      expect(values).toEqual([
        { configuration, webhook: 'hook-0.touchstone.example', mutated: true },
        { configuration, webhook: 'hook-1.touchstone.example', mutated: false },
      ]);
    },
  }),

  defineRule('audit.patch', {
    needs,
    flags: (lab) => auditFlags(lab, 'Request'),
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { name: configuration } = await configure(context, 'mutating', [{ respond: () => labelling('a', 'b') }]);
      const { metadata } = await secrets.create();
      const { annotations } = await eventOf(context, metadata.name, 'Request');
      const told = Object.entries(annotations).filter(([key]) =>
        key.startsWith('patch.webhook.admission.k8s.io/round_0_index_'),
      );
      const values = told
        .map(([, value]) => JSON.parse(value as string))
        .filter((value) => value.configuration === configuration);
      expect(values).toMatchObject([
        {
          webhook: 'hook-0.touchstone.example',
          patchType: 'JSONPatch',
          patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
        },
      ]);
    },
  }),
];
