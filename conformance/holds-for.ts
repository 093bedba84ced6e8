/** Minor versions of v1, both ends included; an end that is left out is open. */
export interface MinorRange {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Rules, or all whose ids begin so, that servers of other versions than v1.25 are documented to keep otherwise, and the
 * versions for which they hold. What is not named here holds for all of them.
 */
export const heldBy: Readonly<Record<string, MinorRange>> = {
  // Plug-ins, feature gates and versions that are gone since.
  'admission.security-context-deny': { to: 29 },
  'endpointslice.conditions.gate': { from: 20, to: 25 },
  'fields.validation.gate': { from: 23, to: 26 },
  'lists.paging.feature-gate': { to: 28 },
  'versioning.beta.old-on': { to: 25 },
  'versioning.runtime-config.single-resource': { from: 24, to: 26 },
  // A status of a Job that contradicts itself is refused since.
  'job.condition.status': { to: 31 },
  'job.condition.type': { to: 31 },
  'job.status.conditions.merge': { to: 31 },
  // Their state in this version itself.
  'job.pod-failure-policy.gate': { from: 25, to: 25 },
  'versioning.api-1-25': { from: 25, to: 25 },
  // What was not there before.
  'admission.control-config': { from: 21 },
  'admission.webhooks': { from: 21 },
  'csr.spec.expiration-seconds': { from: 22 },
  endpointslice: { from: 21 },
  'endpointslice.conditions.serving': { from: 22 },
  'endpointslice.conditions.terminating': { from: 22 },
  'endpointslice.hints': { from: 24 },
  'fields.duplicate': { from: 25 },
  'fields.validation': { from: 25 },
  'impersonate.permission.uids': { from: 22 },
  'impersonate.uid': { from: 22 },
  'job.active-deadline.suspended': { from: 22 },
  'job.completion-mode': { from: 22 },
  'job.pod-failure-policy': { from: 25 },
  'job.state.complete.indexed': { from: 22 },
  'job.state.created-suspended': { from: 22 },
  'job.state.resume': { from: 22 },
  'job.state.suspend': { from: 22 },
  'job.status.completed-indexes': { from: 22 },
  'job.status.ready': { from: 24 },
  'job.status.start-time.resumed': { from: 22 },
  'job.status.start-time.suspended': { from: 22 },
  'job.status.uncounted': { from: 25 },
  'job.suspend': { from: 22 },
  'job.ttl': { from: 21 },
  'metrics.webhook-rejection': { from: 21 },
  'names.virtual.eviction': { from: 22 },
  // Before that, versions from before 1.22 were on that are gone since.
  'versioning.beta.off': { from: 25 },
  'versioning.removed.psp-policy': { from: 25 },
  'versioning.stable.name': { from: 23 },
  webhook: { from: 21 },
};

/**
 * Why a server of this version need not keep a rule, or undefined.
 * @param version as the server tells it, such as `v1.25.16`; one that cannot be read is judged by every rule
 */
export function exemption(id: string, version: string, ranges = heldBy): string | undefined {
  for (const [of, range] of Object.entries(ranges)) {
    const why = id === of || id.startsWith(`${of}.`) ? heldFrom(range, version) : undefined;
    if (why) return why;
  }
  return undefined;
}

/** Why a server of this version need not keep what holds for a range of them, or undefined. */
export function heldFrom(range: MinorRange, version: string): string | undefined {
  const minor = /^v?1\.(\d+)\b/.exec(version)?.[1];
  const { from = 0, to = Number.POSITIVE_INFINITY } = range;
  if (minor === undefined || (Number(minor) >= from && Number(minor) <= to)) return undefined;
  return `servers of its version (${version}) do it otherwise: it is documented ${wordsOf(range)}`;
}

function wordsOf({ from, to }: MinorRange): string {
  if (from === to) return `for v1.${from} alone`;
  if (from === undefined) return `up to v1.${to}`;
  return to === undefined ? `from v1.${from} on` : `from v1.${from} to v1.${to}`;
}
