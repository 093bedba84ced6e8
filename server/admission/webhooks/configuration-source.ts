import type { KubeObject } from '../../base/kube-object.ts';
import type { Webhook, WebhookConfiguration } from '../../kinds/admissionregistration/webhook-shape.ts';
import { type Followed, follow } from '../../store/follow.ts';
import type { StoredKind } from '../../store/object-keys.ts';
import type { Store } from '../../store/store.ts';
import type { Concern } from '../concern.ts';
import { type CompiledWebhook, compileConfiguration } from './compiled-webhook.ts';
import { type ClientServices, clientIdentity, WebhookClient } from './webhook-client.ts';

/**
 * The webhooks of all configurations of one kind, kept up with the store: a change is in force when the write that
 * made it returns (with a store of this process). Each configuration is compiled once per change.
 */
export class ConfigurationSource {
  readonly #kind: StoredKind;
  readonly #services: ClientServices;
  readonly #configurations = new Map<string, KubeObject>();
  readonly #compiled = new Map<string, readonly CompiledWebhook[]>();
  /** Used by some configuration, by identity: webhooks at one place share their connections. */
  #clients = new Map<string, WebhookClient>();
  #webhooks: readonly CompiledWebhook[] = [];
  #cares: readonly Concern[] = [];
  readonly #changed: () => void;
  #stop: (() => void) | undefined;

  /** `resource`: the plural of the configurations. `changed` is called when there are other webhooks than before. */
  constructor(resource: string, services: ClientServices, changed: () => void = () => {}) {
    this.#changed = changed;
    this.#kind = { group: 'admissionregistration.k8s.io', resource };
    this.#services = services;
  }

  /** In the order of configuration names, then as they stand there. Never changed, only replaced. */
  get webhooks(): readonly CompiledWebhook[] {
    return this.#webhooks;
  }

  /** The writes that some webhook may care about; selectors and conditions may still say no. */
  get cares(): readonly Concern[] {
    return this.#cares;
  }

  /** Reads what there is and follows it until stopped. */
  async follow(store: Store): Promise<void> {
    const put = ({ key, current }: Followed) => this.#put(key, current?.value);
    const following = await follow(store, this.#kind, {
      each: put,
      listed: () => this.#assemble(),
      changed: (change) => {
        put(change);
        this.#assemble();
      },
    });
    this.#stop = () => following.stop();
  }

  stop(): void {
    this.#stop?.();
    for (const client of this.#clients.values()) client.retire();
  }

  #put(key: string, configuration: KubeObject | undefined): void {
    this.#compiled.delete(key);
    if (configuration) this.#configurations.set(key, configuration);
    else this.#configurations.delete(key);
  }

  /** Compiles what changed, and lets go of clients that nobody uses any more. */
  #assemble(): void {
    const used = new Map<string, WebhookClient>();
    const clientFor = (webhook: Webhook): WebhookClient => {
      const identity = clientIdentity(webhook);
      const client = used.get(identity) ?? this.#clients.get(identity) ?? new WebhookClient(webhook, this.#services);
      used.set(identity, client);
      return client;
    };
    for (const [key, configuration] of this.#configurations) {
      const webhooks = (configuration as WebhookConfiguration).webhooks ?? [];
      if (this.#compiled.has(key)) webhooks.forEach(clientFor);
      else this.#compiled.set(key, compileConfiguration(configuration as WebhookConfiguration, clientFor));
    }
    for (const [identity, client] of this.#clients) if (!used.has(identity)) client.retire();
    this.#clients = used;
    const keys = [...this.#compiled.keys()].sort();
    this.#webhooks = keys.flatMap((key) => this.#compiled.get(key) ?? []);
    this.#cares = this.#webhooks.flatMap((webhook) => webhook.cares);
    this.#changed();
  }
}
