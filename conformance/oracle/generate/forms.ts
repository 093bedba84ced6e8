/** The forms an answer can be asked for. */
export const accepts = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  metadataList: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  protobufMetadata: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  protobufMetadataList: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  tableOrJson: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  oldTable: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  oldMetadata: 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
} as const;

export type Form = keyof typeof accepts;

/** Those in which each kind answers in a way of its own; plain JSON is asked for everywhere else. */
export const formsOfKinds = [
  'table',
  'metadata',
  'protobuf',
  'yaml',
  'protobufMetadata',
  'tableOrJson',
] as const satisfies readonly Form[];

/** The row of an object, and the object beside it. */
export const asRow = {
  query: { dryRun: 'All', includeObject: 'Object' },
  headers: { accept: accepts.table },
} as const;

export const inForm = (form: Form): { headers: { accept: string } } => ({ headers: { accept: accepts[form] } });
