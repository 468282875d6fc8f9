// A real OpenID Connect provider for tests, told what to do by its own /test routes.
import { createServer } from "node:http";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { default: Provider } = await import(require.resolve("oidc-provider"));
const jose = await import(require.resolve("jose", { paths: [require.resolve("oidc-provider")] }));

const { port, back, clients } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const people = new Map();
let keys = [];
let clockShift = 0;
let down = false;
let changed = {};

function rotate() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  keys = [{ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" }];
}

function made() {
  const provider = new Provider(issuer, {
    clients: clients.map((client) => ({
      redirect_uris: [back],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: client.client_secret ? "client_secret_basic" : "none",
      ...client,
    })),
    jwks: { keys },
    cookies: { keys: ["of-tests"] },
    scopes: ["openid", "profile", "email", "groups", "offline_access"],
    claims: {
      openid: ["sub", "sid"],
      profile: ["preferred_username", "name"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    rotateRefreshToken: true,
    interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
    issueRefreshToken: (_, client, code) => code.scopes.has("offline_access"),
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 3600, RefreshToken: 3600, Grant: 3600, Session: 3600, Interaction: 600 },
    async findAccount(_, sub) {
      const claims = people.get(sub);
      return claims ? { accountId: sub, claims: async () => ({ sub, ...claims }) } : undefined;
    },
  });
  provider.on("server_error", (_, error) => console.error(error));
  return provider;
}

rotate();
let provider = made();

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || "{}");
}

async function signIn(request, response, who) {
  const details = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: who, clientId: details.params.client_id });
  grant.addOIDCScope(details.params.scope);
  const grantId = await grant.save();
  const result = who === "nobody" ? { error: "access_denied" } : { login: { accountId: who, remember: false }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Signs what the test asks for, with our key unless it says otherwise. */
async function forged({ claims, alg = "RS256", kid, secret, type }) {
  const key = keys[0];
  const header = { alg, kid: kid ?? key.kid, ...(type ? { typ: type } : {}) };
  if (alg === "none") {
    const text = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${text(header)}.${text(claims)}.`;
  }
  const { createPublicKey } = await import("node:crypto");
  const shared = secret ?? createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
  const with_ = alg.startsWith("HS") ? Buffer.from(shared) : await jose.importJWK(key, alg);
  return await new jose.SignJWT(claims).setProtectedHeader(header).sign(with_);
}

createServer(async (request, response) => {
  const url = new URL(request.url, issuer);
  const answer = (value) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  try {
    if (url.pathname === "/test/people") {
      for (const [sub, claims] of Object.entries(await body(request))) claims ? people.set(sub, claims) : people.delete(sub);
      return answer({});
    }
    if (url.pathname === "/test/rotate") return rotate(), (provider = made()), answer({});
    if (url.pathname === "/test/down") return (down = (await body(request)).down), answer({});
    if (url.pathname === "/test/id-token") return (changed = await body(request)), answer({});
    if (url.pathname === "/test/forge") return answer({ token: await forged(await body(request)) });
    if (down) return response.writeHead(503).end();
    if (url.pathname.startsWith("/sign-in/")) {
      const who = url.searchParams.get("who");
      if (who) return await signIn(request, response, who);
      response.setHeader("content-type", "text/html");
      return response.end([...people.keys()].map((sub) => `<a href="?who=${sub}">Continue as ${sub}</a>`).join(" "));
    }
    if (url.pathname === "/token" && Object.keys(changed).length) {
      // the ID token that the test wants, in place of the real one
      const end = response.end.bind(response);
      response.end = async (text) => {
        const said = JSON.parse(String(text));
        const real = JSON.parse(Buffer.from(said.id_token.split(".")[1], "base64url"));
        const { claims = {}, ...rest } = changed;
        said.id_token = await forged({ ...rest, claims: { ...real, ...claims } });
        response.removeHeader("content-length");
        end(JSON.stringify(said));
      };
    }
    return provider.callback()(request, response);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(String(error));
  }
}).listen(port, "127.0.0.1", () => console.log(`ready ${issuer}`));
