import type { Capability } from '../capability.ts';

/** Capabilities that a server gets by being started so, where the target itself lacks them. */
export const capabilityFlags: Partial<Record<Capability, readonly string[]>> = {
  'short-history': ['--etcd-compaction-interval=2s', '--watch-cache-sizes=secrets#0,configmaps#0'],
};
