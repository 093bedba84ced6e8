import { documented, type PartyRule } from '../../party.ts';
import type { IngressCandidate, IngressContext } from '../context.ts';
import { onHost } from '../specs.ts';

/** What becomes of requests that match no rule. */
export const defaultBackendRules: readonly PartyRule<IngressContext>[] = [
  // What no rule matches goes to the default backend.
  documented('ingress.default-backend.handles', {
    fault: 'no-default-backend',
    check: (context) =>
      alone(context, async ({ backend, service, ingress, reaches, domain }) => {
        const [host, one, two] = [domain(), await backend(), await backend()];
        const rules = [onHost(host, await service([one]), '/known')];
        await ingress({ rules, defaultBackend: await service([two]) });
        await reaches({ host, path: '/known' }, one);
        await reaches({ host, path: '/unknown' }, two);
      }),
  }),
  // Without rules everything goes to the default backend.
  documented('ingress.rules.none', {
    fault: 'no-default-backend',
    check: (context) =>
      alone(context, async ({ backend, service, ingress, reaches, domain }) => {
        const one = await backend();
        await ingress({ defaultBackend: await service([one]) });
        for (const path of ['/', '/any/path']) await reaches({ host: domain(), path }, one);
      }),
  }),
  // Without a default backend the controller does as it likes with the rest.
  documented('ingress.default-backend.unset', {
    fault: ['unmatched-hangs', 'unmatched-anywhere'],
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [host, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(host, await service([one]), '/known')] });
      await reaches({ host, path: '/known' }, one);
      // Anything may be answered, but not nothing, and not by a backend that was not asked for.
      await misses({ host, path: '/unknown' }, one);
    },
  }),
];

const turns = new WeakMap<IngressCandidate, Promise<void>>();

/** A default backend is everybody's, so that there may be only one at a time. */
function alone(context: IngressContext, check: (context: IngressContext) => Promise<void>): Promise<void> {
  const { candidate } = context;
  const turn = (turns.get(candidate) ?? Promise.resolve()).then(() => check(context));
  turns.set(
    candidate,
    turn.catch(() => undefined),
  );
  return turn;
}
