import { systemTimers } from './base/timers.ts';
import type { Closers } from './closers.ts';
import { converterOf } from './custom-resources/conversion.ts';
import { customResourceDefinition } from './custom-resources/definition.ts';
import { CustomResourceLifeCycle } from './custom-resources/life-cycle.ts';
import { followServices } from './kinds/core/service/follow.ts';
import type { ServerOptions } from './options.ts';
import { storeBootstrapObjects } from './registry/bootstrap.ts';
import { expireEvents } from './registry/event-expiry.ts';
import { serviceAddress } from './registry/service-address.ts';
import type { RequestServices } from './request/services.ts';
import { startCompaction } from './store/compaction.ts';

/** Begins what a server does besides answering requests: everything that follows the store or the clock. */
export async function startBackground(
  services: RequestServices,
  options: ServerOptions,
  closers: Closers,
): Promise<void> {
  const { store, clock, log } = services;
  const following = await followServices(services.serviceAddresses, store);
  closers.add(() => following.stop());
  await storeBootstrapObjects(services, services.resources);
  const customResources = await serveCustomResources(services);
  closers.add(() => customResources.stop());
  const report = (error: unknown) => log.error('expiry of events', error);
  closers.add(await expireEvents({ store, clock, timers: systemTimers, ttl: options.eventTtl, report }));
  closers.add(startCompaction(store, { interval: options.etcdCompactionInterval }));
}

/** Serves what definitions in the store ask for, from now on and as they change. */
async function serveCustomResources(services: RequestServices): Promise<CustomResourceLifeCycle> {
  const { store, clock, ids, resources, log } = services;
  const addressOf = serviceAddress(services.lookup);
  const lifeCycle = new CustomResourceLifeCycle({
    store,
    clock,
    timers: systemTimers,
    definitions: customResourceDefinition,
    converterOf: (definition) => converterOf(definition, { ids, addressOf }),
    publish: (custom) => resources.setCustom(custom),
    report: (error) => log.error('custom resources', error),
  });
  await lifeCycle.start();
  return lifeCycle;
}
