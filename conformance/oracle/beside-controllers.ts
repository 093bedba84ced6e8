import type { Body, Scenario, Step } from './play/scenario.ts';

/** Deletions that a collector ends when it likes. */
const awaited = /\b(Orphan|Foreground)\b|orphanDependents\W+true/;
/** Owners that are not there have what they own collected, and rules that are gathered are written when others change. */
const followed = /ownerReferences|aggregationRule/;

/** What is in a namespace goes with it, and it with that. */
const space = /^\/api\/v1\/namespaces\/[^/]+$/;
/** They put one of each into every namespace, which may stand on a page or behind it. */
const shared = /\/(configmaps|serviceaccounts)$/;

/**
 * Of what controllers act on there is no telling what comes next: beside them it is rehearsed, and what they have objects
 * among is listed whole.
 */
export const besideControllers = (scenario: Scenario): Scenario => ({
  ...scenario,
  steps: scenario.steps.map((step) => {
    if (isActedOn(step)) return rehearsed(step);
    return step.method === 'GET' && shared.test(step.path) ? whole(step) : step;
  }),
});

function whole(step: Step): Step {
  const { query = {} } = step;
  if (typeof query === 'string') return { ...step, query: query.replaceAll(/(?<=^|&)limit=[^&]*&?/g, '') };
  const { limit: _, ...rest } = query;
  return { ...step, query: rest };
}

function isActedOn({ method, path, query, body }: Step): boolean {
  const said = JSON.stringify([query, body]);
  if (method === 'GET' || said.includes('dryRun')) return false;
  return method === 'DELETE' ? space.test(path) || awaited.test(said) : followed.test(said);
}

/** A deletion is told so in its body, if it has one. */
function rehearsed(step: Step): Step {
  const { method, query = {}, body } = step;
  const asked = typeof query === 'string' ? `${query}&dryRun=All` : { ...query, dryRun: 'All' };
  return { ...step, query: asked, ...(method === 'DELETE' && body ? { body: rehearsal(body) } : {}) };
}

const rehearsal = (body: Body): Body => ('json' in body ? { json: { ...body.json, dryRun: ['All'] } } : body);
