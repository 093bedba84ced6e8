import type { Passes } from '../admission/admission.ts';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import { known } from '../base/turns/work.ts';
import { anonymous } from '../base/user.ts';
import { featureGates } from '../options/feature-gates.ts';
import { ContinueTokens } from '../store/continue-token.ts';
import { withInvariants } from '../store/invariants.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Services, WriteCall } from './call.ts';
import { storeLookup } from './lookup.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

const nobody: Passes = {
  mutates: false,
  validates: false,
  changes: false,
  mutate: () => known(false),
  validate: () => known(undefined),
};

/**
 * The verbs' surroundings without a network, for any resources: a clock that stands still until it is set, and ids that
 * count.
 */
export class Surroundings {
  now = Date.parse('2024-01-02T03:04:05Z');
  readonly timers = new ManualTimers();
  readonly warnings: string[] = [];
  readonly services: Services;
  #ids = 0;

  constructor(resources: Resources) {
    const store = withInvariants(new MemoryStore({ freeze: true }));
    this.services = {
      store,
      clock: { now: () => this.now },
      timers: this.timers,
      ids: { uid: () => `uid-${++this.#ids}`, suffix: (length) => String(++this.#ids).padStart(length, '0') },
      admission: { passes: () => nobody },
      lookup: storeLookup(store),
      resources,
      features: featureGates([]),
      fieldValidation: 'Warn',
      tokens: new ContinueTokens(),
      allowPrivileged: true,
    };
  }

  callOn(resource: Resource, given: Partial<WriteCall> = {}): WriteCall {
    return {
      services: this.services,
      resource,
      subresource: '',
      namespace: 'default',
      name: 'one',
      user: anonymous,
      userAgent: 'test/1',
      options: { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false },
      async demandCreate() {},
      warn: (text) => void this.warnings.push(text),
      annotate() {},
      ...given,
    };
  }
}
