/** What faults of several files are about: requests, their headers and their paths. */

export const watches = { method: 'GET', query: { watch: true } };
export const lists = { method: 'GET', query: { watch: false } };
export const laterPages = { ...lists, query: { watch: false, continue: true } };

export const applying = { 'content-type': /apply/ };
export const merging = { 'content-type': /merge-patch/ };
export const inProtobuf = { accept: /protobuf/ };
export const asTable = { accept: /as=Table/ };

/** Of a custom type. */
export const custom = /touchstone\.example/;

/** In no namespace: what has none, and what is in any. */
export const outsideNamespaces = /^\/apis?\/(?!.*\/namespaces\/)/;

/** Collections in no namespace: of what has none, and of what is in any. */
export const topCollections = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/[a-z0-9]+$/;

/** Objects without a namespace, namespaces themselves among them. */
export const clusterItems = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/[a-z]+\/[^/]+$/;

/** `/api/v1/…` or `/apis/group/version/…`, a namespace or none, a collection, a name, and what is below it. */
export const anyItem =
  /^((?:\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/[a-z0-9]+)\/([^/]+)(?:\/([a-z]+))?$/;

export const collectionOf = (resource: string): RegExp => new RegExp(`/${resource}$`);
export const itemsOf = (resource: string): RegExp => new RegExp(`/${resource}/[^/]+$`);
