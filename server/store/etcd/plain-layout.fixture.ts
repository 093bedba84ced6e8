import type { KeyLayout } from './key-layout.ts';

/** Keys as they are below the root. */
export function plainLayout(root: string): KeyLayout {
  return {
    root,
    toEtcd: (key) => root + key,
    fromEtcd: (key) => (key.startsWith(root) ? key.slice(root.length) : undefined),
    prefixInEtcd: (prefix) => root + prefix,
  };
}
