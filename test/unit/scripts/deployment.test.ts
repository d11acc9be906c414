import { describe, expect, it } from "@jest/globals";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { settings } from "../../../api/shared/settings/settings.ts";

const FOLDER = "scripts/kubernetes";

/** The parts of a container that the tests check. */
interface Container {
  name: string;
  image: string;
  command: string[];
  envFrom: { configMapRef: { name: string } }[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Probe {
  httpGet: { path: string; port: string };
  timeoutSeconds: number;
}
interface Pod {
  spec: {
    securityContext: object;
    automountServiceAccountToken?: boolean;
    containers: [Container];
    volumes: { name: string; secret?: { secretName: string } }[];
    terminationGracePeriodSeconds?: number;
  };
  metadata?: { labels: Record<string, string>; annotations: Record<string, string> };
}
interface Manifest {
  kind: string;
  /** The beginning of the job's name, because each job gets a name of its own. */
  metadata: { name?: string; generateName?: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template: Pod;
    /** Of a CronJob. */
    jobTemplate?: { spec: { template: Pod } };
    selector: { matchLabels: Record<string, string> } & Record<string, unknown>;
    ports: { targetPort: string }[];
  };
}

const manifests = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".yaml"))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), "utf8")).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
const find = (kind: string, name: string) => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const config = find("ConfigMap", "company-register").data ?? {};
const secret = find("Secret", "company-register").stringData ?? {};
const pods = manifests.flatMap(({ metadata: { generateName, name = generateName }, spec }) => {
  const template =
    spec?.jobTemplate?.spec.template ?? (spec && "template" in spec ? spec.template : undefined);
  return template ? [[name, template.spec.containers[0], template] as const] : [];
});

/** The source of a command's script: `dist/api/main.js` is built from `api/main.ts`. */
const sourceOf = (command: readonly string[]) =>
  (command[1] ?? "").replace(/^dist\//, "").replace(/\.js$/, ".ts");

describe("the Kubernetes example", () => {
  it("sets only settings, to valid values, and each secret by its file", () => {
    const podSettings = pods.flatMap(([, { env = [] }]) =>
      env.map(({ name, value }) => [name, value] as const),
    );
    const files = [...Object.entries(config), ...podSettings].filter(([name]) => name.endsWith("_FILE"));
    const plain = Object.entries(config).filter(([name]) => !name.endsWith("_FILE"));
    const names = [...plain.map(([name]) => name), ...files.map(([name]) => name.replace(/_FILE$/, ""))];
    expect(names.filter((name) => !(name in settings))).toEqual([]);
    expect(() => readConfig(Object.fromEntries(plain))).not.toThrow();
    expect(plain.filter(([name]) => "secret" in settings[name as keyof typeof settings])).toEqual([]);
    for (const [name, path] of files) {
      expect(path).toBe(`/etc/company-register/${name.replace(/_FILE$/, "")}`);
      expect(Object.keys(secret)).toContain(name.replace(/_FILE$/, ""));
    }
    expect(() => readConfig(secret)).not.toThrow();
  });

  it.each(pods)(
    "runs %s with a script that exists, with its settings and secrets",
    (_name, container, pod) => {
      expect(existsSync(sourceOf(container.command))).toBe(true);
      expect(container.envFrom).toEqual([{ configMapRef: { name: "company-register" } }]);
      expect(container.volumeMounts).toContainEqual({
        name: "secrets",
        mountPath: "/etc/company-register",
        readOnly: true,
      });
      const volumes = pod.spec.volumes.map(({ name }) => name);
      expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
      expect(pod.spec.volumes[0]?.secret?.secretName).toBe("company-register");
      expect(Object.keys(container.resources.limits)).toEqual(["memory"]);
    },
  );

  it.each(
    pods.filter(([, { command }]) => command.includes("dist/scripts/cli.js") && !command.includes("follow")),
  )("gives %s the time to write its current batches", (_name, _container, { spec }) =>
    expect(spec.terminationGracePeriodSeconds).toBe(120),
  );

  it.each(pods)(
    "runs %s with no more rights than it needs: Pod Security `restricted`",
    (_name, container, { spec }) => {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(spec.automountServiceAccountToken).toBe(false);
    },
  );

  it("runs one release everywhere, that of package.json", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(new Set(pods.map(([, { image }]) => image))).toEqual(new Set([`company-register:${version}`]));
  });

  it.each([
    // The liveness probe uses the private port, which no client can fill with connections.
    ["company-register-api", "METRICS_PORT", "PORT"],
    ["company-register-worker", "WORKER_PORT", "WORKER_PORT"],
  ])(
    "probes %s on the ports that it listens on, and gives it more time to end than it needs",
    (name, own, forRequests) => {
      const { spec } = find("Deployment", name);
      const { template, selector } = spec ?? {};
      const container = template?.spec.containers[0];
      const portOf = (wanted: string) =>
        String(container?.ports?.find((port) => port.name === wanted)?.containerPort);
      const { livenessProbe, readinessProbe } = container ?? {};
      expect(livenessProbe?.httpGet.path).toBe("/healthz");
      expect(readinessProbe?.httpGet.path).toBe("/readyz");
      expect(portOf(livenessProbe?.httpGet.port ?? "")).toBe(config[own]);
      expect(portOf(readinessProbe?.httpGet.port ?? "")).toBe(config[forRequests]);
      // Readiness waits two seconds for a store.
      for (const probe of [livenessProbe, readinessProbe]) expect(probe?.timeoutSeconds).toBeGreaterThan(2);
      expect(template?.metadata?.annotations["prometheus.io/port"]).toBe(config[own]);
      expect(template?.metadata?.labels).toEqual(selector?.matchLabels);
      const graceMs = (template?.spec.terminationGracePeriodSeconds ?? 0) * 1000;
      expect(graceMs).toBeGreaterThan(settings.SHUTDOWN_MS.default + 5_000);
    },
  );

  it("sends requests only to the API's public ports", () => {
    const { spec } = find("Service", "company-register-api");
    expect(spec?.ports.map(({ targetPort }) => targetPort)).toEqual(["http", "streams"]);
    const api = find("Deployment", "company-register-api").spec;
    expect(spec?.selector).toEqual(api?.template.metadata?.labels);
  });
});

describe("the systemd example", () => {
  const unit = readFileSync("scripts/systemd/company-register-watch.service", "utf8");
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  it("runs a script that exists, with a folder that it may write to", () => {
    const [, ...command] = valueOf("ExecStart").split(" ");
    expect(existsSync(sourceOf(["node", ...command]))).toBe(true);
    expect(command.slice(1)).toEqual(["watch", valueOf("ReadWritePaths")]);
  });

  it("restarts once the lock of a killed process is free", () => {
    expect(Number(valueOf("RestartSec")) * 1000).toBeGreaterThan(settings.LOCK_MS.default);
  });
});

describe("docker-compose.yml", () => {
  const { services } = parse(readFileSync("docker-compose.yml", "utf8"), { merge: true }) as {
    services: Record<
      string,
      {
        command?: string;
        environment?: Record<string, string>;
        env_file?: { path: string; required: boolean }[];
        ports?: string[];
        healthcheck?: { test?: string[] };
        restart?: string;
        cap_drop?: string[];
        security_opt?: string[];
        stop_grace_period?: string;
      }
    >;
  };

  it.each(["prepare", "worker", "api"])(
    "%s gets every setting of .env that the file does not fix",
    (name) => {
      const { environment = {}, env_file: files } = services[name] ?? {};
      expect(files).toEqual([{ path: ".env", required: false }]);
      // Variables that the shell passes on must be the same in both.
      const passed = Object.entries(environment).filter(([, value]) => value.includes("$"));
      expect(passed.filter(([setting, value]) => value !== `\${${setting}:-}`)).toEqual([]);
    },
  );

  it.each(["prepare", "worker", "api"])("%s has no rights besides those of its user", (name) => {
    expect(services[name]).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
  });

  it("opens the private port of each worker to this machine only", () => {
    expect(services.worker?.ports).toEqual(["127.0.0.1::9465"]);
  });

  it.each(["elasticsearch", "mongodb", "redis"])(
    "opens %s, which has no password, to this machine only",
    (name) => {
      const { ports = [] } = services[name] ?? {};
      expect(ports.map((port) => port.slice(0, "127.0.0.1:".length))).toEqual(["127.0.0.1:"]);
    },
  );

  it("restarts everything after a reboot, except the job that makes the indices and ends", () => {
    const restarts = Object.entries(services).map(([name, { restart }]) => [name, restart]);
    const engine = "${ENGINES_RESTART:-unless-stopped}";
    expect(Object.fromEntries(restarts)).toEqual({
      ...{ elasticsearch: engine, mongodb: engine, redis: engine },
      ...{ prepare: undefined, worker: "unless-stopped", api: "unless-stopped" },
    });
  });

  it.each(["api", "worker"])("gives the %s more time to end than it needs", (name) => {
    const graceMs = Number.parseInt(services[name]?.stop_grace_period ?? "0") * 1_000;
    expect(graceMs).toBeGreaterThan(settings.SHUTDOWN_MS.default + 5_000);
  });

  it("sets only settings, to valid values", () => {
    const given = Object.entries(services.api?.environment ?? {});
    const isPassedOn = ([name, value]: [string, string]) => value === `\${${name}:-}`;
    const passedOn = given.filter(isPassedOn).map(([name]) => name);
    expect(passedOn).toEqual(["OTEL_EXPORTER_OTLP_ENDPOINT"]);
    const environment = Object.fromEntries(given.filter((one) => !isPassedOn(one)));
    expect(Object.keys(environment).filter((name) => !(name in settings))).toEqual([]);
    expect(() => readConfig(environment)).not.toThrow();
  });

  it.each([
    ["api", "PORT"],
    ["worker", "WORKER_PORT"],
  ])(
    "probes the %s on the port that it listens on, and publishes no private port to other machines",
    (name, setting) => {
      const { environment = {}, healthcheck, ports = [] } = services[name] ?? {};
      expect(healthcheck?.test?.join(" ")).toContain(`http://127.0.0.1:${environment[setting]}/readyz`);
      for (const hidden of [environment.METRICS_PORT ?? "", environment.WORKER_PORT ?? ""]) {
        const toOthers = (published: string) => !published.startsWith("127.0.0.1:");
        expect(ports.filter((published) => published.includes(hidden)).filter(toOthers)).toEqual([]);
      }
    },
  );
});
