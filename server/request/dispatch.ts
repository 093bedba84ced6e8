import { badRequest, forbidden, methodNotAllowed, noSuchPath } from '../base/status-error.ts';
import type { Call } from '../registry/call.ts';
import type { ListedResource } from '../registry/resources.ts';
import { passOn } from './aggregation/pass-on.ts';
import { type Answer, mereText } from './answer/respond.ts';
import type { Exchange } from './exchange.ts';
import { everyMediaType, type MediaType, type Offer, type Transform, takesSome } from './negotiate.ts';
import { pathHandler } from './paths.ts';
import { type Route, route } from './route.ts';
import type { RequestServices } from './services.ts';
import type { Stage } from './stage.ts';
import { answerDelete, answerDeleteCollection } from './verbs/delete.ts';
import { operate } from './verbs/operate.ts';
import { answerGet, answerList } from './verbs/read.ts';
import { answerWatch } from './verbs/watch.ts';
import { answerCreate, answerPatch, answerUpdate, patchTypeOf } from './verbs/write.ts';

/** The last stage: carries out what the request asks for. */
export const dispatch: Stage = (exchange, services) => {
  const { info } = exchange;
  const elsewhere = services.aggregated.at(info.path);
  if (elsewhere) return passOn(exchange, services, elsewhere);
  if (!info.isResource) return answerPath(exchange, services);
  const found = (info.form && services.routes.get(info.form)) ?? findRoute(exchange, services);
  if (!found) return mereText(404, '404 page not found\n');
  // The routes of built-in kinds have none for HEAD, save those of what is behind them.
  if (info.method === 'HEAD' && !found.resource.custom && found.subresource !== 'proxy') throw methodNotAllowed();
  agreeOnForms(exchange, found);
  return answerVerb(exchange, services, found);
};

/** Whether what was sent can be read, and in which form the answer is sent. @throws 406, 415 */
function agreeOnForms(exchange: Exchange, found: Route): void {
  const { verb } = exchange.info;
  // What answers behind a connection sees for itself what it is sent and what its client takes.
  const connects = connecting.includes(found.subresource);
  if (verb === 'patch' && !connects) patchTypeOf(exchange, found.resource);
  const accept = connects ? undefined : exchange.header('accept');
  const offer = accept ? offerOf(found, verb) : undefined;
  const { deprecation } = found.resource;
  if (deprecation && (!offer || takesSome(accept, offer))) exchange.warn(deprecation);
  if (offer) exchange.negotiate(offer);
}

function findRoute(exchange: Exchange, { resources, routes }: RequestServices): Route | undefined {
  const { info } = exchange;
  const found = route(info, resources, (text) => exchange.warn(text));
  // What is built in is there for good.
  if (found && info.form && !found.resource.custom) routes.set(info.form, found);
  return found;
}

function answerPath(exchange: Exchange, services: RequestServices): Promise<Answer> | Answer {
  const { path, method } = exchange.info;
  const trimmed = path.length > 1 && path.endsWith('/') && !isExact(path) ? path.slice(0, -1) : path;
  const handler = pathHandler(trimmed, services);
  if (handler) {
    if (method !== 'GET' && isRouted(trimmed, services)) throw methodNotAllowed();
    return handler(exchange, services);
  }
  const [, first, second = ''] = trimmed.split('/');
  if (first === 'api' || (first === 'apis' && second && services.resources.hasGroup(second))) throw noSuchPath();
  return mereText(404, '404 page not found\n');
}

const routed = /^\/(?:logs|api|api\/[^/]+|version|\.well-known\/openid-configuration|openid\/v1\/jwks)$/;

/** Documents that are routed by their method, too; for the others any method is a GET. */
function isRouted(path: string, { resources }: RequestServices): boolean {
  const [, first, group = '', version] = path.split('/');
  return first === 'apis' ? version !== undefined && resources.hasBuiltInGroup(group) : routed.test(path);
}

/** Names of checks and documents are exact: a slash behind one is another name. */
const isExact = (path: string) => /^\/(?:healthz|livez|readyz|openapi\/v[23])\//.test(path);

const customMediaTypes: readonly MediaType[] = ['application/json', 'application/yaml'];
const metadataTransforms: readonly Transform[] = ['PartialObjectMetadata', 'PartialObjectMetadataList'];
const allTransforms: readonly Transform[] = ['Table', ...metadataTransforms];

function offerOf({ resource, subresource }: Route, verb: string): Offer {
  const mediaTypes = resource.custom ? customMediaTypes : everyMediaType;
  return {
    mediaTypes,
    transforms: hasTable({ resource, subresource }) ? allTransforms : metadataTransforms,
    streams: verb === 'watch',
    ranges: resource.custom !== undefined,
    // What custom objects have in common with all others has a protobuf form.
    ...(resource.custom && { metadataTypes: everyMediaType }),
  };
}

const hasTable = ({ resource, subresource }: Route) =>
  resource.verbs.has('get') &&
  !isOperation(resource, subresource) &&
  !resource.rules.subresources?.[subresource]?.hasNoTable;

/** What opens a connection cannot be tried. */
const connecting: readonly string[] = ['attach', 'exec', 'portforward', 'proxy'];

const isOperation = (resource: Route['resource'], subresource: string) =>
  Object.hasOwn(resource.rules.operations ?? {}, subresource);

function answerVerb(exchange: Exchange, services: RequestServices, found: Route): Promise<Answer | 'sent'> {
  const call = callOf(exchange, services, found);
  const { resource, subresource } = found;
  if (subresource && connecting.includes(subresource) && exchange.query.has('dryRun'))
    throw badRequest('dryRun is not supported');
  if (resource.rules.operations && isOperation(resource, subresource)) return operate(exchange, services, call);
  const { verb } = exchange.info;
  if (verb === 'watch') return answerWatch(exchange, services, call);
  const answer = Object.hasOwn(answers, verb) ? answers[verb] : undefined;
  if (!answer) throw methodNotAllowed();
  return answer(exchange, call);
}

const answers: Readonly<Record<string, (exchange: Exchange, call: Call) => Promise<Answer>>> = {
  get: answerGet,
  list: answerList,
  create: answerCreate,
  update: answerUpdate,
  patch: answerPatch,
  delete: answerDelete,
  deletecollection: answerDeleteCollection,
};

/** @throws 403 */
async function demandCreate(
  { user, info }: Exchange,
  { authorizer }: RequestServices,
  { group, plural }: ListedResource,
): Promise<void> {
  const { version, namespace, name } = info;
  const action = {
    type: 'resource',
    verb: 'create',
    group,
    version,
    resource: plural,
    subresource: '',
    namespace,
    name,
  } as const;
  const { decision, reason } = await authorizer.authorize(user, action);
  if (decision !== 'allow') throw forbidden({ group, resource: plural }, name, reason);
}

function callOf(exchange: Exchange, services: RequestServices, { resource, subresource }: Route): Call {
  const { info } = exchange;
  return {
    services,
    resource,
    subresource,
    namespace: resource.namespaced ? info.namespace : '',
    // What is made has the name that its body says.
    name: info.verb === 'watch' || (info.verb === 'create' && !subresource) ? '' : info.pathName,
    user: exchange.user,
    userAgent: exchange.userAgent,
    demandCreate: () => demandCreate(exchange, services, resource),
    warn: (text) => exchange.warn(text),
    annotate: (key, value) => exchange.annotations.set(key, value),
  };
}
