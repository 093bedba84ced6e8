import { impliedUnder, type PartyRule } from '../../party.ts';
import { failure } from '../answers.ts';
import type { ClientProcess } from '../client-process.ts';
import type { ClientContext } from '../context.ts';
import { type Leases, leaseName, microTime, serveLease } from '../leases.ts';
import type { Seen } from '../scripted-server.ts';

/** How long a Lease lasts without a renewal. */
const seconds = 6;
const identity = 'candidate';
/** Milliseconds by which a clock is wrong. */
const anHour = 3_600_000;
/** Clocks and timers that are late by so many milliseconds are in time. */
const tolerance = 500;

interface Campaign extends Leases {
  readonly client: ClientProcess;
  /** What the client said last: whether it leads. */
  readonly leads: () => boolean;
}

function campaign(context: ClientContext, prepare: (leases: Leases) => void = () => undefined): Campaign {
  const leases = serveLease(context);
  prepare(leases);
  const environment = { TOUCHSTONE_IDENTITY: identity, TOUCHSTONE_LEASE_SECONDS: String(seconds) };
  const client = context.start('lead', environment);
  const said = () => client.printed().at(-1) as { leading?: unknown } | undefined;
  return { ...leases, client, leads: () => said()?.leading === true };
}

/** Waits for what the client does. */
async function until(
  { until: look, patience }: ClientContext,
  { client }: Campaign,
  what: string,
  isSo: () => boolean,
): Promise<void> {
  // Beside its own time the client needs that of a Lease which another holds.
  const enough = patience + 2_000 * seconds;
  await look(what, isSo, (so) => so, enough).catch((error: unknown) => {
    client.knowsScenario();
    throw error;
  });
}

const leading = (context: ClientContext, own: Campaign): Promise<void> =>
  until(context, own, 'the client leads', own.leads);

const held = (holderIdentity: string, at: number, leaseTransitions = 3) => ({
  ...{ holderIdentity, leaseTransitions, leaseDurationSeconds: seconds },
  ...{ acquireTime: microTime(at), renewTime: microTime(at) },
});

const lateClock = (): number => Date.now() - anHour;

/** Another renews its Lease, for twice the time that it lasts, by its own clock. */
async function renewing({ pause }: ClientContext, { lease, write }: Campaign, clock: () => number): Promise<void> {
  for (let passed = 0; passed < 2 * seconds; passed += 1) {
    await pause(1_000);
    if (lease()?.spec.holderIdentity === 'another') write(held('another', clock()));
  }
}

const rule = impliedUnder<ClientContext>('client.lead');
const from = ['rv.object', 'verbs.update'];

export default [
  rule(
    'takes-what-is-free',
    'A Lease that is not there is made with the holder, the duration and the times in it before the client leads.',
    from,
    'leads-without-lease',
    async (context) => {
      const own = campaign(context);
      await leading(context, own);
      const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime } = own.lease()?.spec ?? {};
      context.expect({ holderIdentity, leaseDurationSeconds }).toEqual({
        ...{ holderIdentity: identity, leaseDurationSeconds: seconds },
      });
      for (const time of [acquireTime, renewTime]) context.expect(Date.parse(time ?? ''), 'a time').toBeGreaterThan(0);
    },
  ),
  rule(
    'leaves-what-is-held',
    'While another renews the Lease it is left alone, and the client does not lead.',
    from,
    'takes-held-lease',
    async (context) => {
      const own = campaign(context, ({ write }) => write(held('another', Date.now())));
      await until(context, own, 'the client looks at the Lease', () => own.reads().length > 0);
      await renewing(context, own, Date.now);
      context.expect(own.reads().length, 'reads of the Lease').toBeGreaterThan(1);
      context
        .expect(
          own.tried().map(({ method }) => method),
          'writes of the Lease',
        )
        .toEqual([]);
      context.expect(own.client.printed(), 'what it said').not.toContainEqual({ leading: true });
    },
  ),
  rule(
    'takes-over',
    'A Lease that its holder does not renew is taken over once its time is up, and the transition is counted.',
    from,
    ['takes-held-lease', 'never-takes-over', 'counts-no-transition', 'own-duration'],
    async (context) => {
      const { expect } = context;
      const leaseDurationSeconds = seconds + 3;
      const own = campaign(context, ({ write }) => write({ ...held('another', Date.now()), leaseDurationSeconds }));
      const renewed = performance.now();
      await leading(context, own);
      const [first] = own.taken();
      expect(first?.lease.spec).toMatchObject({ holderIdentity: identity, leaseTransitions: 4 });
      expect((first?.at ?? 0) - renewed, 'milliseconds since it was renewed').toBeGreaterThan(
        1_000 * leaseDurationSeconds - tolerance,
      );
    },
  ),
  rule(
    'takes-released',
    'A Lease that its holder has given up is taken without waiting for its time.',
    from,
    ['waits-for-released', 'wants-whole-lease'],
    async (context) => {
      const longTime = 40 * seconds;
      const released = { ...held('', Date.now()), leaseDurationSeconds: longTime };
      // One that says nothing is nobody's, too.
      for (const spec of [released, {}]) {
        const own = campaign(context, ({ write }) => write(spec));
        await leading(context, own);
        context.expect(own.lease()?.spec.holderIdentity, 'the holder').toBe(identity);
        await own.client.stop();
      }
    },
    'should',
  ),
  rule(
    'goes-by-own-clock',
    'Whether a Lease is renewed is seen by its changing: the clock of its holder may be wrong.',
    from,
    'believes-clocks',
    async (context) => {
      const own = campaign(context, ({ write }) => write(held('another', lateClock())));
      await until(context, own, 'the client looks at the Lease', () => own.reads().length > 0);
      await renewing(context, own, lateClock);
      context.expect(own.lease()?.spec.holderIdentity, 'the holder, whose clock is late').toBe('another');
      own.write(held('another', Date.now() + anHour));
      await leading(context, own);
    },
    'should',
  ),
  rule(
    'loses-race',
    'Who is told 409 when taking the Lease does not lead, as another was first, and waits for its time.',
    from,
    ['leads-on-conflict', 'patches-blindly', 'gives-up-after-race'],
    async (context) => {
      const before = Date.now() - 60_000;
      let races = 0;
      const own = campaign(context, ({ write }) => write(held('another', before)));
      context.whim(({ method, path }) => {
        if ((method !== 'PUT' && method !== 'PATCH') || !path.endsWith(`/${leaseName}`) || races > 0) return undefined;
        races += 1;
        own.write(held('a third', Date.now(), 4));
        return undefined;
      });
      await until(context, own, 'the client tries to take the Lease', () => races > 0);
      await context.pause(2_000);
      context.expect(own.client.printed(), 'what it said').not.toContainEqual({ leading: true });
      context.expect(own.lease()?.spec.holderIdentity, 'the holder').toBe('a third');
      await leading(context, own);
    },
  ),
  rule(
    'renews',
    'Who leads renews the Lease before its time is up, and keeps the time at which it was acquired and the transitions.',
    from,
    ['never-renews', 'counts-renewals'],
    async (context) => {
      const { expect } = context;
      const own = campaign(context);
      await leading(context, own);
      await until(context, own, 'the client renews its Lease twice', () => own.taken().length > 2);
      const specs = own.taken().map(({ lease }) => lease.spec);
      const times = own.taken().map(({ at }) => at);
      for (const [nth, at] of times.slice(1).entries())
        expect(at - (times[nth] ?? 0), 'milliseconds between two renewals').toBeLessThan(1_000 * seconds);
      expect(new Set(specs.map(({ acquireTime = '' }) => Date.parse(acquireTime))).size, 'acquire times').toBe(1);
      expect(new Set(specs.map(({ leaseTransitions = 0 }) => leaseTransitions)).size, 'numbers of transitions').toBe(1);
      expect(own.leads(), 'it leads still').toBe(true);
    },
  ),
  rule(
    'steps-down',
    'Who cannot renew the Lease no longer leads when its time is up, as another may lead from then on.',
    from,
    'leads-on',
    async (context) => {
      const own = campaign(context);
      await leading(context, own);
      const ended = context.server.seen.length;
      context.whim((seen: Seen) =>
        seen.path.includes('/leases') ? failure(500, 'InternalError', 'the server has trouble') : undefined,
      );
      const renewed = own.taken().at(-1)?.at ?? 0;
      await until(context, own, 'the client tries to renew', () => context.server.seen.length > ended);
      await until(context, own, 'the client has stepped down', () => own.client.hasEnded() || !own.leads());
      context
        .expect(performance.now() - renewed, 'milliseconds since it was renewed')
        .toBeLessThan(1_000 * seconds + tolerance);
    },
  ),
  rule(
    'lost',
    'Who finds another in its Lease leads no longer, and leaves the Lease to it.',
    from,
    'ignores-usurper',
    async (context) => {
      const own = campaign(context);
      await leading(context, own);
      own.write(held('usurper', Date.now(), 1));
      await until(context, own, 'the client has stepped down', () => own.client.hasEnded() || !own.leads());
      context.expect(own.lease()?.spec.holderIdentity, 'the holder').toBe('usurper');
    },
  ),
] satisfies readonly PartyRule<ClientContext>[];
