export const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';

/** Up to how many nodes a step holds on the way up, from how many on the way down, and what it says in seconds. */
const steps = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1_000, seconds: 30 },
  { least: 900, most: 2_000, seconds: 60 },
  { least: 1_800, most: Number.POSITIVE_INFINITY, seconds: 300 },
];

/**
 * How long node agents may keep Secrets and ConfigMaps before they ask again, in seconds: the longer the more nodes ask.
 * Between two steps what was told stays, so that a node that comes and goes does not change all others.
 */
export function ttlFor(nodes: number, told: number | undefined): number {
  const fitting = steps.filter(({ least, most }) => nodes >= least && nodes <= most);
  return (fitting.find(({ seconds }) => seconds === told) ?? fitting[0])?.seconds ?? 0;
}
