import { Message } from './wire.ts';

/** The messages of etcd's API (v3) that are used, with their fields that are used. */

export interface Header {
  /** As near as a double comes to it. */
  clusterId: number;
  revision: number;
}
const header = new Message<Header>({ clusterId: [1, 'number'], revision: [3, 'number'] });

export interface KeyValue {
  key: Buffer;
  createRevision: number;
  modRevision: number;
  value: Buffer;
  /** Missing: the key stays until it is removed. */
  lease?: number;
}
const keyValue = new Message<KeyValue>({
  key: [1, 'bytes'],
  createRevision: [2, 'number'],
  modRevision: [3, 'number'],
  value: [5, 'bytes'],
  lease: [6, 'number'],
});

export interface RangeRequest {
  key: Buffer;
  rangeEnd?: Buffer;
  limit?: number;
  revision?: number;
  /** Whoever is asked answers from what it knows, without the others. */
  serializable?: boolean;
  countOnly?: boolean;
}
export const rangeRequest = new Message<RangeRequest>({
  key: [1, 'bytes'],
  rangeEnd: [2, 'bytes'],
  limit: [3, 'number'],
  revision: [4, 'number'],
  serializable: [7, 'boolean'],
  countOnly: [9, 'boolean'],
});

export interface RangeResponse {
  header: Header;
  kvs: KeyValue[];
  more: boolean;
  count: number;
}
export const rangeResponse = new Message<RangeResponse>({
  header: [1, header],
  kvs: [2, keyValue, 'repeated'],
  more: [3, 'boolean'],
  count: [4, 'number'],
});

export interface PutRequest {
  key: Buffer;
  value: Buffer;
  lease?: number;
}
const putRequest = new Message<PutRequest>({ key: [1, 'bytes'], value: [2, 'bytes'], lease: [3, 'number'] });

export interface DeleteRequest {
  key: Buffer;
}
const deleteRequest = new Message<DeleteRequest>({ key: [1, 'bytes'] });

/** One of them. */
interface PlainOperation {
  range?: RangeRequest;
  put?: PutRequest;
  remove?: DeleteRequest;
}
const plainFields = {
  range: [1, rangeRequest],
  put: [2, putRequest],
  remove: [3, deleteRequest],
} as const;

/** Operations that count as one in the transaction that they are a part of. */
interface OperationGroup {
  success: PlainOperation[];
}
const operationGroup = new Message<OperationGroup>({
  success: [2, new Message<PlainOperation>(plainFields), 'repeated'],
});

/** One of them. */
export interface Operation extends PlainOperation {
  group?: OperationGroup;
}
const operation = new Message<Operation>({ ...plainFields, group: [4, operationGroup] });

/** What a comparison looks at. */
export const target = { createRevision: 1, modRevision: 2 } as const;
/** What a comparison expects of it. */
export const result = { equal: 0, less: 2 } as const;

/** Of one of the two revisions of a key, or of each key in a range. */
export interface Compare {
  /** Missing: equal. */
  result?: number;
  target: number;
  key: Buffer;
  createRevision?: number;
  modRevision?: number;
  rangeEnd?: Buffer;
}
const compare = new Message<Compare>({
  result: [1, 'number'],
  target: [2, 'number'],
  key: [3, 'bytes'],
  createRevision: [5, 'number'],
  modRevision: [6, 'number'],
  rangeEnd: [64, 'bytes'],
});

export interface TxnRequest {
  compare: Compare[];
  success: Operation[];
  failure: Operation[];
}
export const txnRequest = new Message<TxnRequest>({
  compare: [1, compare, 'repeated'],
  success: [2, operation, 'repeated'],
  failure: [3, operation, 'repeated'],
});

interface OperationResponse {
  range: Partial<RangeResponse>;
}
const operationResponse = new Message<OperationResponse>({ range: [1, rangeResponse] });

export interface TxnResponse {
  header: Header;
  succeeded: boolean;
  responses: Partial<OperationResponse>[];
}
export const txnResponse = new Message<TxnResponse>({
  header: [1, header],
  succeeded: [2, 'boolean'],
  responses: [3, operationResponse, 'repeated'],
});

export interface CompactionRequest {
  revision: number;
}
export const compactionRequest = new Message<CompactionRequest>({ revision: [1, 'number'] });
export const onlyHeader = new Message<{ header: Header }>({ header: [1, header] });

export interface LeaseGrantRequest {
  /** Seconds. */
  ttl: number;
  /** Chosen by who asks, since those that etcd chooses are beyond what a double holds. */
  id: number;
}
export const leaseGrantRequest = new Message<LeaseGrantRequest>({ ttl: [1, 'number'], id: [2, 'number'] });

interface WatchCreate {
  key: Buffer;
  rangeEnd: Buffer;
  startRevision: number;
  progressNotify: boolean;
  previous: boolean;
  fragment: boolean;
}
const watchCreate = new Message<WatchCreate>({
  key: [1, 'bytes'],
  rangeEnd: [2, 'bytes'],
  startRevision: [3, 'number'],
  progressNotify: [4, 'boolean'],
  previous: [6, 'boolean'],
  fragment: [8, 'boolean'],
});
export interface WatchRequest {
  create: WatchCreate;
}
export const watchRequest = new Message<WatchRequest>({ create: [1, watchCreate] });

export interface WatchEvent {
  /** 1: the key was removed; missing: it was put. */
  type: number;
  kv: KeyValue;
  previous: KeyValue;
}
const watchEvent = new Message<WatchEvent>({ type: [1, 'number'], kv: [2, keyValue], previous: [3, keyValue] });

export interface WatchResponse {
  header: Header;
  created: boolean;
  canceled: boolean;
  /** Of a watch that begins before what is still held. */
  compactRevision: number;
  cancelReason: string;
  /** More events of the last revision come with the next response. */
  fragment: boolean;
  events: Partial<WatchEvent>[];
}
export const watchResponse = new Message<WatchResponse>({
  header: [1, header],
  created: [3, 'boolean'],
  canceled: [4, 'boolean'],
  compactRevision: [5, 'number'],
  cancelReason: [6, 'string'],
  fragment: [7, 'boolean'],
  events: [11, watchEvent, 'repeated'],
});
