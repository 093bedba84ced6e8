import { defineRule } from '../../rule.ts';
import { changesRefused } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { expectDuring, type Timed, timed, timeOf } from '../../verbs/moment.ts';
import { condition, writeConditions } from '../../verbs/signing-requests.ts';

const patches = { method: 'PATCH', path: /\/(approval|status)$/ };
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

type Way = 'approval' | 'status';

/** Conditions that somebody may add, and the ways by which they may. */
const added: readonly (readonly [type: string, by: Way])[] = [
  ['Approved', 'approval'],
  ['Denied', 'approval'],
  ['Failed', 'approval'],
  ['Failed', 'status'],
  ['Checked', 'status'],
];

interface Written {
  readonly status: number;
  readonly timed: Timed;
  /** The condition that the request has afterwards. */
  readonly stored: Json;
}

const longAgo = '2001-02-03T04:05:06Z';

/** Writes one condition to a new request. */
async function write({ signingRequests }: RuleContext, one: Json, by: Way = 'approval'): Promise<Written> {
  const { metadata } = await signingRequests.create();
  const written = await timed(writeConditions(signingRequests, metadata.name, [one], by));
  const { conditions } = (await signingRequests.read(metadata.name)).status;
  return { status: written.answer.status, timed: written, stored: conditions?.[0] };
}

/** What is refused leaves the request without a condition. */
function expectRefused({ expect }: RuleContext, { status, stored }: Written, what: string): void {
  expect([400, 422], what).toContain(status);
  expect(stored, `${what}, as stored`).toBeUndefined();
}

export default [
  // A condition has a type: Approved, Denied or Failed.
  defineRule('csr.condition.type', {
    sabotage: [loseWrite(patches), answerStatus(200, { ...patches, instead: [400, 422] }), changesRefused(patches)],
    async check(context) {
      const { expect } = context;
      for (const type of ['Approved', 'Denied', 'Failed']) {
        const { status, stored } = await write(context, condition(type));
        expect(status, type).toBe(200);
        expect(stored?.type).toBe(type);
      }
      for (const type of [undefined, ''])
        expectRefused(context, await write(context, { ...condition('x'), type }), `type ${JSON.stringify(type)}`);
    },
  }),

  // A condition has a status: True, False or Unknown.
  defineRule('csr.condition.status', {
    sabotage: [
      answerStatus(200, { ...patches, instead: [400, 422] }),
      changesRefused(patches),
      replaceIn('status.conditions.*.status', reads),
    ],
    async check(context) {
      const { expect } = context;
      for (const status of ['True', 'False', 'Unknown']) {
        const written = await write(context, condition('Checked', { status }));
        expect(written.status, status).toBe(200);
        expect(written.stored?.status, 'as stored').toBe(status);
      }
      for (const status of [undefined, '', 'Maybe'])
        expectRefused(context, await write(context, { ...condition('Checked'), status }), `status ${status}`);
    },
  }),

  // Approved, Denied and Failed are True or not there.
  defineRule('csr.condition.status.only-true', {
    sabotage: [answerStatus(200, { ...patches, instead: [400, 422] }), changesRefused(patches)],
    async check(context) {
      const { expect } = context;
      for (const type of ['Approved', 'Denied', 'Failed']) {
        expect((await write(context, condition(type))).status, `${type} True`).toBe(200);
        for (const status of ['False', 'Unknown'])
          expectRefused(context, await write(context, condition(type, { status })), `${type} ${status}`);
      }
    },
  }),

  // A condition added without `lastTransitionTime` gets the present time.
  defineRule('csr.condition.last-transition-time.added', {
    sabotage: [
      removeIn('status.conditions.*.lastTransitionTime', reads),
      replaceIn('status.conditions.*.lastTransitionTime', { ...reads, with: longAgo }),
    ],
    async check(context) {
      for (const [type, by] of added) {
        const { stored, timed: written } = await write(context, condition(type), by);
        expectDuring(context.expect, written, stored?.lastTransitionTime ?? '', `${type} by /${by}`);
        const given = await write(context, condition(type, { lastTransitionTime: longAgo }), by);
        context.expect(given.stored?.lastTransitionTime, `${type} by /${by}, with a time of its own`).toBe(longAgo);
      }
    },
  }),

  // A condition that changes its status without `lastTransitionTime` gets the present time.
  defineRule('csr.condition.last-transition-time.changed', {
    sabotage: replaceIn('status.conditions.*.lastTransitionTime', { ...reads, with: longAgo }),
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      const old = condition('Checked', { lastTransitionTime: longAgo });
      await writeConditions(signingRequests, metadata.name, [old], 'approval');
      await writeConditions(signingRequests, metadata.name, [condition('Checked', { message: 'again' })], 'approval');
      const [same] = (await signingRequests.read(metadata.name)).status.conditions;
      expect(same, 'of the status that it had').toMatchObject({ message: 'again', lastTransitionTime: longAgo });
      const other = condition('Checked', { status: 'False' });
      const changed = await timed(writeConditions(signingRequests, metadata.name, [other], 'approval'));
      expect(changed.answer.status).toBe(200);
      const [stored] = (await signingRequests.read(metadata.name)).status.conditions;
      expect(stored.status).toBe('False');
      expectDuring(expect, changed, stored.lastTransitionTime, 'the change of its status');
    },
  }),

  // `lastUpdateTime` is a Time that may be left out.
  defineRule('csr.condition.last-update-time', {
    sabotage: [
      replaceIn('status.conditions.*.lastUpdateTime', reads),
      answerStatus(200, { ...patches, instead: [400, 422] }),
    ],
    async check(context) {
      const { expect } = context;
      // Not long ago: what was decided an hour before is cleaned away.
      const lastUpdateTime = timeOf(Date.now() - 600_000);
      const given = await write(context, condition('Approved', { lastUpdateTime }));
      expect(given.stored?.lastUpdateTime, 'a time that is given').toBe(lastUpdateTime);
      expect((await write(context, condition('Approved'))).status, 'left out').toBe(200);
      expect([400, 422], 'no time').toContain(
        (await write(context, condition('Approved', { lastUpdateTime: 'yesterday' }))).status,
      );
    },
  }),

  // `message` and `reason` are texts that may be left out.
  defineRule('csr.condition.message-reason', {
    sabotage: [removeIn('status.conditions.*.message', reads), removeIn('status.conditions.*.reason', reads)],
    async check(context) {
      const { expect } = context;
      const { stored } = await write(
        context,
        condition('Approved', { message: 'for good cause', reason: 'GoodCause' }),
      );
      expect(stored).toMatchObject({ message: 'for good cause', reason: 'GoodCause' });
      expect((await write(context, { type: 'Approved', status: 'True' })).status, 'without both').toBe(200);
      expect([400, 422], 'no text').toContain((await write(context, condition('Approved', { message: 7 }))).status);
    },
  }),
];
