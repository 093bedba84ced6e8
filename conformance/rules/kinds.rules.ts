import { heldFrom } from '../holds-for.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';

/** RFC 3339 in UTC, to the second. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** One second, in other ways: what is less than a second is cut off. */
const moments = [
  ...['2024-05-06T09:08:09+02:00', '2024-05-06T05:38:09-01:30'],
  ...['2024-05-06T07:08:09.123456Z', '2024-05-06T07:08:09.999999Z'],
];
/** What is no time: a day and a minute that there are not, no zone, and another form. */
const noMoments = ['2024-02-30T07:08:09Z', '2024-05-06T07:60:09Z', '2024-05-06T07:08:09', '2024-05-06 07:08:09 +0000'];

/** What is no time to the microsecond: less than that, more, and nothing below the second. */
const noMicroMoments = ['2024-05-06T07:08:09.123Z', '2024-05-06T07:08:09.1234567Z', '2024-05-06T07:08:09Z'];

const judged = { type: 'example.com/Judged', status: 'True', reason: 'Judged', message: '' };

const dayOf = (text: string): number => Date.parse(text);

export default [
  // The kinds are worked on by the standard paths and codes, in JSON objects of their names, unless something else
  // is said.
  defineRule('kinds.standard-operations', {
    sabotage: [answerStatus(204, { method: 'PUT' }), replaceIn('kind', { method: 'PATCH', path: /\/roles\/[^/]+$/ })],
    async check({ roles, ingresses, jobs, endpointSlices, expect }) {
      for (const kind of [roles, ingresses, jobs, endpointSlices]) {
        const what = kind.at.kind;
        const created = await kind.post(kind.sample());
        expect(created.status, `create a ${what}`).toBe(201);
        const { name } = created.body.metadata;
        expect((await kind.get(name)).status, `get a ${what}`).toBe(200);
        // Controllers write to it meanwhile.
        delete created.body.metadata.resourceVersion;
        expect((await kind.put(created.body)).status, `update a ${what}`).toBe(200);
        const patched = await kind.patch(name, { metadata: { labels: { a: 'b' } } });
        expect(patched.status, `patch a ${what}`).toBe(200);
        expect(patched.body.kind).toBe(what);
        expect((await kind.getAll()).body.kind).toBe(`${what}List`);
        expect([200, 202], `delete a ${what}`).toContain((await kind.delete(name)).status);
      }
    },
  }),

  // A Time is written as RFC 3339 has it, in UTC.
  defineRule('kinds.time-format', {
    sabotage: [
      replaceIn('metadata.creationTimestamp', {
        with: '2024-05-06 07:08:09 +0000',
        method: 'GET',
        path: /\/secrets\//,
      }),
      replaceIn('status.conditions.*.lastTransitionTime', {
        with: '2024-05-06T09:08:09+02:00',
        path: /\/services\/[^/]+\/status$/,
      }),
      answerStatus(200, { method: 'PATCH', path: /\/services\/[^/]+\/status$/, instead: 422 }),
    ],
    async check({ secrets, services, version, expect }) {
      const { metadata } = await secrets.create();
      const { creationTimestamp } = (await secrets.get(metadata.name)).body.metadata;
      expect(creationTimestamp).toMatch(time);
      expect(Number.isNaN(dayOf(creationTimestamp))).toBe(false);
      // Conditions of a Service are kept since then.
      if (heldFrom({ from: 24 }, version)) return;
      const { name } = (await services.create()).metadata;
      const since = (lastTransitionTime: string) => ({ status: { conditions: [{ ...judged, lastTransitionTime }] } });
      for (const moment of moments) {
        const { status } = await services.merge(name, since(moment), 'status');
        expect(status.conditions[0].lastTransitionTime, moment).toBe('2024-05-06T07:08:09Z');
      }
      for (const text of noMoments) {
        const { status } = await services.patch(name, since(text), { sub: 'status' });
        expect(status, text).toBeGreaterThanOrEqual(400);
        expect(status, text).toBeLessThan(500);
      }
    },
  }),

  // A MicroTime is a Time down to the microsecond.
  defineRule('kinds.micro-time-format', {
    sabotage: [
      replaceIn('eventTime', { with: '2024-05-06T07:08:09Z', method: 'GET', path: /\/events\// }),
      answerStatus(201, { method: 'POST', path: /\/events$/, instead: 400 }),
    ],
    async check({ events, namespace, expect }) {
      const parts = { regarding: { namespace: await namespace() }, eventTime: '2024-05-06T09:08:09.000123+02:00' };
      const { metadata } = await events.create(parts);
      const { eventTime } = (await events.get(metadata.name)).body;
      expect(eventTime).toMatch(microTime);
      expect(eventTime).toBe('2024-05-06T07:08:09.000123Z');
      for (const text of noMicroMoments)
        expect((await events.post(await events.draft({ ...parts, eventTime: text }))).status, text).toBe(400);
    },
  }),
];
