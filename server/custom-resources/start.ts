import type { Clock } from '../base/clock.ts';
import type { Timers } from '../base/timers.ts';
import type { Resources } from '../registry/resources.ts';
import type { Store } from '../store/store.ts';
import { type ConversionServices, converterOf } from './conversion.ts';
import { customResourceDefinition } from './definition.ts';
import { CustomResourceLifeCycle } from './life-cycle.ts';

export interface CustomResourceOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Where the custom resources are served from. */
  readonly resources: Resources;
  /** What conversion webhooks need. */
  readonly conversion: ConversionServices;
  /** Something failed that will be tried again. */
  report(error: unknown): void;
}

const { group, resource } = customResourceDefinition;

/** Serves the definitions that the store holds, and those to come. */
export async function startCustomResources(options: CustomResourceOptions): Promise<CustomResourceLifeCycle> {
  const lifeCycle = new CustomResourceLifeCycle({
    ...options,
    definitionsPrefix: `${group}/${resource}/`,
    converterOf: (definition) => converterOf(definition, options.conversion),
    publish: (resources) => options.resources.setCustom(resources),
  });
  await lifeCycle.start();
  return lifeCycle;
}
