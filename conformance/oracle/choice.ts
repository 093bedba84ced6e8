import type { Target } from '../target/target.ts';
import { isOwnGroup } from '../verbs/discovery.ts';
import { apiVersionOf, groupVersionPath, type OracleKind } from './oracle-kind.ts';
import type { Scenario, Step } from './play/scenario.ts';
import { customGroup } from './samples/custom-samples.ts';
import { sampleOf } from './samples/objects.ts';

/** What may be played on the two servers, and what is left out. */

/** What the user allows, and where webhooks are reached. */
export interface Allowed {
  readonly judged: Target;
  readonly other?: Target;
  readonly resources?: readonly string[];
  readonly clusterWide: boolean;
  readonly webhookHost?: string;
}

const isHere = ({ url }: Target): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname);

/** Whether webhooks may be configured and both servers reach them. */
export const areHooksHeard = ({ clusterWide, webhookHost, judged, other }: Allowed): boolean =>
  clusterWide && (webhookHost !== undefined || [judged, other].every((target) => !target || isHere(target)));

/** Kinds of other people's definitions are not ours to play with. */
export const isOurs = ({ group }: OracleKind, run: string): boolean => isOwnGroup(group) || group === customGroup(run);

export function isChosen(
  kind: OracleKind,
  { resources = [], clusterWide }: Pick<Allowed, 'resources' | 'clusterWide'>,
  hasControllers: boolean,
): boolean {
  const sample = sampleOf(kind);
  if (resources.length > 0 && !resources.includes(kind.resource)) return false;
  return !(sample?.clusterWide && !clusterWide) && !(sample?.controlled && hasControllers);
}

export function leftOut(
  shared: readonly OracleKind[],
  chosen: readonly OracleKind[],
  all: readonly OracleKind[],
  { resources = [], clusterWide }: Pick<Allowed, 'resources' | 'clusterWide'>,
  hasControllers: boolean,
): string[] {
  const named = (kinds: readonly OracleKind[]): string =>
    kinds.map((kind) => `${kind.resource} (${apiVersionOf(kind)})`).join(', ');
  const skipped = shared.filter(
    (kind) => !chosen.includes(kind) && (resources.length === 0 || resources.includes(kind.resource)),
  );
  const reasons: readonly (readonly [string, readonly OracleKind[]])[] = [
    ['not served by the judged server', all.filter((kind) => !shared.includes(kind))],
    [
      'concern the whole cluster, which was not allowed',
      skipped.filter((kind) => sampleOf(kind)?.clusterWide && !clusterWide),
    ],
    [
      'controllers of the judged server act on them',
      skipped.filter((kind) => sampleOf(kind)?.controlled && hasControllers),
    ],
  ];
  return [
    ...reasons.filter(([, kinds]) => kinds.length > 0).map(([reason, kinds]) => `${reason}: ${named(kinds)}`),
    ...(hasControllers
      ? [
          'what controllers act on is only rehearsed: owners, gathered rules, deletions that wait, namespaces that end',
          'pages of what they put into every namespace',
        ]
      : []),
  ];
}

interface Allowance {
  readonly clusterWide: boolean;
  /** All that one of the servers has. */
  readonly kinds: readonly OracleKind[];
  readonly hooked: boolean;
}

/** Of the scenarios that somebody brings those that may be played, and a line for each other one. */
export function allowedOf(scenarios: readonly Scenario[], allowance: Allowance) {
  const { allowed = [], refused = [] } = Object.groupBy(scenarios, (one) =>
    mayPlay(one, allowance) ? 'allowed' : 'refused',
  );
  const why = 'concerns the whole cluster or has webhooks, which was not allowed';
  return { allowed, refused: refused.map(({ name }) => `${name}: ${why}`) };
}

/** Whether a scenario that somebody brings asks for no more than was allowed. */
export function mayPlay(
  { steps, prepare = [], hooks = [], backend }: Scenario,
  { clusterWide, kinds, hooked }: Allowance,
): boolean {
  if ((hooks.length > 0 || backend) && !hooked) return false;
  const forbidden = clusterWide ? [] : kinds.filter((kind) => sampleOf(kind)?.clusterWide);
  return ![...prepare, ...steps].some((step) => isWrite(step) && forbidden.some((kind) => isOf(kind, step)));
}

const isWrite = ({ method }: Step): boolean => method !== 'GET' && method !== 'HEAD';

function isOf(kind: OracleKind, { path }: Step): boolean {
  const collection = `${groupVersionPath(kind)}/${kind.resource}`;
  return path === collection || path.startsWith(`${collection}/`);
}
