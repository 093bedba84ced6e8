import { perKey } from '../../base/caches/memo.ts';
import type { Timers } from '../../base/time/timers.ts';
import { follow } from '../../store/follow.ts';
import type { Store, Subscription } from '../../store/store.ts';
import type { Exchange } from '../exchange.ts';
import { Classifier, type Flow } from './classifier.ts';
import type { FlowSchema, PriorityLevel } from './configuration.ts';
import type { FlowMetrics } from './flow-metrics.ts';
import { type Entry, type Gate, nothingTaken } from './gate.ts';
import { QueueSet, type QueueSetLimits } from './queue-set.ts';
import { seatsOfList } from './seats.ts';
import { assuredSeats } from './shares.ts';
import { deal, flowHash } from './shuffle-shard.ts';

export interface PriorityGateParts {
  readonly store: Store;
  readonly timers: Timers;
  /** Seats of all limited levels together. */
  readonly seats: number;
  readonly metrics: FlowMetrics;
  /** Where the objects of a resource are stored; undefined for one that is not served. */
  prefixOf(group: string, version: string, resource: string): string | undefined;
}

const group = 'flowcontrol.apiserver.k8s.io';
const hands = 1000;

/** A limited level. */
interface Level {
  readonly name: string;
  readonly set: QueueSet;
  handSize: number;
}

/**
 * Priority and fairness: FlowSchemas say which priority level a request belongs to and whose flow it is part of; levels
 * have seats of their own, and queues in which the flows take turns. What is stored of both takes effect at once.
 */
export class PriorityGate implements Gate {
  readonly #parts: PriorityGateParts;
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #configured = new Map<string, PriorityLevel>();
  readonly #levels = new Map<string, Level>();
  readonly #followed: Subscription[] = [];
  #classifier: Classifier;
  #changed = false;

  constructor(parts: PriorityGateParts) {
    this.#parts = parts;
    this.#classifier = this.#classify([]);
    parts.metrics.addLevels(() => this.#levels.values());
  }

  /** Resolves when what is stored has taken effect. */
  async start(): Promise<void> {
    await this.#follow('prioritylevelconfigurations', this.#configured);
    await this.#follow('flowschemas', this.#schemas);
    this.#configure();
  }

  stop(): void {
    for (const subscription of this.#followed) subscription.stop();
  }

  enter(exchange: Exchange): Entry | Promise<Entry> {
    const { info, user } = exchange;
    const flow = this.#classifier.classify(user, info);
    // What goes on for long is not limited, and before the server has its own objects nothing is.
    if (!flow) return nothingTaken;
    exchange.flowHeaders = flow.headers;
    const level = this.#levels.get(flow.level);
    if (!level) return letIn(flow);
    return info.verb === 'list' && info.isResource
      ? this.#seatsOf(exchange).then((seats) => this.#take(exchange, flow, level, seats))
      : this.#take(exchange, flow, level, 1);
  }

  #take(exchange: Exchange, flow: Flow, level: Level, seats: number): Entry | Promise<Entry> {
    const leave = () => {
      flow.leave();
      level.set.release(seats);
    };
    if (level.set.tryTake(seats)) return letIn(flow, leave);
    const hand = handOf(`${flow.name}\0${distinguisherOf(flow, exchange)}`, level);
    const waited = this.#parts.metrics.waits(flow);
    return level.set
      .wait(seats, hand, (leave) => exchange.ending.whenOver(leave))
      .then((rejection) => {
        waited(rejection);
        return rejection ? 'full' : letIn(flow, leave);
      });
  }

  #seatsOf({ info }: Exchange): Promise<number> {
    const prefix = this.#parts.prefixOf(info.group, info.version, info.resource);
    return prefix ? seatsOfList({ query: info.query, prefix }, this.#parts.store) : Promise.resolve(1);
  }

  async #follow<T>(resource: string, objects: Map<string, T>): Promise<void> {
    const subscription = await follow(
      this.#parts.store,
      { group, resource },
      {
        each: ({ key, current }) => {
          if (current) objects.set(key, current.value as T);
          else objects.delete(key);
          this.#configureSoon();
        },
      },
    );
    this.#followed.push(subscription);
  }

  /** Several changes at a time are taken together. */
  #configureSoon(): void {
    if (this.#changed) return;
    this.#changed = true;
    this.#parts.timers.soon(() => this.#configure());
  }

  #configure(): void {
    this.#changed = false;
    const levels = [...this.#configured.values()];
    const seats = assuredSeats(levels, this.#parts.seats);
    for (const { metadata, spec } of levels) {
      const { name = '' } = metadata;
      const own = seats.get(name);
      if (own !== undefined) this.#limit(name, own, spec?.limited?.limitResponse?.queuing);
      else this.#levels.delete(name);
    }
    const names = new Set(levels.map(({ metadata }) => metadata.name));
    for (const name of this.#levels.keys()) if (!names.has(name)) this.#levels.delete(name);
    this.#classifier = this.#classify(levels);
  }

  #classify(levels: readonly PriorityLevel[]): Classifier {
    const { metrics } = this.#parts;
    return new Classifier([...this.#schemas.values()], levels, (schema, level) => metrics.countsOf(schema, level));
  }

  #limit(name: string, seats: number, { queues = 0, handSize = 0, queueLengthLimit = 0 } = {}): void {
    const limits: QueueSetLimits = { seats, queues, length: queueLengthLimit };
    const level = this.#levels.get(name);
    if (level) {
      level.handSize = handSize;
      level.set.setLimits(limits);
    } else this.#levels.set(name, { name, handSize, set: new QueueSet(limits, this.#parts.timers) });
  }
}

/** @returns what is to be called once the request was answered */
function letIn({ counts, leave }: Flow, leaveAll: () => void = leave): Entry {
  counts.dispatched++;
  counts.executing++;
  return leaveAll;
}

const distinguisherOf = ({ distinguisher }: Flow, { user, info }: Exchange): string =>
  distinguisher === 'ByUser' ? user.name : distinguisher === 'ByNamespace' ? info.namespace : '';

const hashOf = perKey((flow: string) => {
  const [schema = '', ...rest] = flow.split('\0');
  return flowHash(schema, rest.join('\0'));
}, hands);

const handOf = (flow: string, { set, handSize }: Level): number[] => deal(hashOf(flow), set.limits.queues, handSize);
