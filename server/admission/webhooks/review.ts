import type { KubeObject } from '../../base/kube-object.ts';
import { encodeJson } from '../../schema/encode.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { ReviewVersion } from './compiled-webhook.ts';
import type { RequestView } from './versions.ts';

export const reviewGroup = 'admission.k8s.io';

/**
 * The members of a review's request after its uid, as text (rules `webhook.request.*`); v1 and v1beta1 have the same.
 * `object` and `oldObject` are in the version of the view.
 */
export function requestText(
  attributes: AdmissionAttributes,
  view: RequestView,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
): string {
  const { kind, resource, subresource, name, namespace, operation, user, dryRun, options } = attributes;
  const { extra } = user;
  const request = {
    kind: view.kind,
    resource: view.resource,
    ...(subresource && { subResource: subresource }),
    requestKind: kind,
    requestResource: resource,
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      groups: user.groups,
      ...(Object.keys(extra).length > 0 && { extra }),
    },
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options() ?? null,
  };
  return encodeJson(request).slice(1, -1);
}

/** The body that a webhook is sent. */
export const reviewText = (version: ReviewVersion, uid: string, request: string): string =>
  `{"kind":"AdmissionReview","apiVersion":"${reviewGroup}/${version}","request":{"uid":"${uid}",${request}}}`;
