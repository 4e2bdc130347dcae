export default {
  porting: {
    input: { target: "./openapi.json" },
    output: { target: "./orval/client.ts", client: "fetch" },
  },
};
