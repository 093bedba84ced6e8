/** What is filled in of a pod that says no more than its containers; how often these begin again is up to its kind. */
export const filledPod = {
  ...{ dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' },
  ...{ terminationGracePeriodSeconds: 30, securityContext: {} },
};

/** What is filled in of a container of that image. */
export const filledContainer = {
  ...{ imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' },
  ...{ terminationMessagePolicy: 'File', resources: {} },
};

/** How often a probe asks, and what it takes to be convinced, where nothing is said. */
export const paced = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

/** The group of users, groups and roles that are named without one. */
export const rbac = 'rbac.authorization.k8s.io';
