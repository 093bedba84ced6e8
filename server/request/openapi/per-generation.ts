import type { Resources } from '../../registry/resources.ts';

/** What follows from the resources that are served: made when first asked for, and again only after they changed. */
export function perGeneration<T>(make: (resources: Resources) => T): (resources: Resources) => T {
  const kept = new WeakMap<Resources, { readonly generation: number; readonly value: T }>();
  return (resources) => {
    let known = kept.get(resources);
    if (known?.generation !== resources.generation) {
      known = { generation: resources.generation, value: make(resources) };
      kept.set(resources, known);
    }
    return known.value;
  };
}
