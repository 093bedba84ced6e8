/** What a server needs, beside administrator rights over HTTP, for a rule to be judged. */
export const capabilities = {
  'second-user': 'requests as another user (impersonation, or tokens of service accounts)',
  rights: 'callers have rights of their own: not everyone may do everything',
  webhooks: 'the server can call back to this machine; --webhook-host names it for a server elsewhere',
  crd: 'CustomResourceDefinitions are served',
  protobuf: 'built-in kinds are served as protobuf',
  kinds: 'every kind that rules are judged with is served, in the version that v1.25 has it in',
  pods: 'pods can be created',
  controllers: 'the stock controllers run',
  'job-controller': 'a controller runs Jobs',
  'ttl-controller': 'a controller deletes finished Jobs in time',
  'garbage-collector': 'a controller deletes the dependents of what is deleted',
  'endpointslice-controller': 'a controller keeps the slices of Services',
  'token-cleaner': 'a controller deletes bootstrap tokens that have run out',
  signer: 'a controller signs what is approved for the well-known signers',
  nodes: 'a ready node runs pods',
  clock: 'minutes of waiting are allowed',
  'short-history': 'old resource versions are dropped within seconds',
  flags: 'servers can be started with chosen flags',
  lab: 'the server was started with the flags of a lab: it trusts certificates, tokens and services made for the suite',
} as const;

export type Capability = keyof typeof capabilities;
