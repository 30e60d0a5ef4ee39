// A FIFO of four beats that adds `step` to its payload, in which `fault` switches on one known defect.
// The harness is tested against it: each defect must be reported, and none without one.
//   0 none                          4 valid drops while the reader is not ready
//   1 result off by one             5 payload changes while the reader is not ready
//   2 every 64th beat is lost       6 stops for ever after 100 beats
//   3 every 64th beat comes twice   7 an idle cycle is taken as a beat
//   8 $stop at the 64th beat        9 offers only to a reader that is ready
module demo_fifo(
  input clk,
  input rst,
  input [3:0] fault,
  input [6:0] step,
  input in_valid,
  output in_ready,
  input [99:0] in_data,
  input in_last,
  output out_valid,
  input out_ready,
  output [99:0] out_data,
  output out_last,
  output [15:0] beats
);
  reg [15:0] taken;
  reg dropped;
  wire stuck = (fault == 4'd6) && (taken >= 16'd100);
  wire take = ((in_valid || (fault == 4'd7 && taken[5:0] == 6'd63)) && in_ready);
  wire every = (taken[5:0] == 6'd63);
  wire store_valid, store_ready;
  wire [100:0] head;
  wire push = take && !(fault == 4'd2 && every);
  wire pop = out_valid && out_ready && !(fault == 4'd3 && dropped);

  demo_store store(
    .clk(clk), .rst(rst),
    .push(push), .din({in_last, in_data + {93'd0, step}}), .ready(store_ready),
    .pop(pop), .dout(head), .valid(store_valid)
  );

  always @(posedge clk) begin
    if (rst) begin
      taken <= 16'd0;
      dropped <= 1'b0;
    end else begin
      if (fault == 4'd8 && every) $stop;
      if (take) taken <= taken + 16'd1;
      if (out_valid && out_ready) dropped <= every && !dropped;
      else if (fault == 4'd4) dropped <= every && store_valid && !dropped;
    end
  end

  assign in_ready = store_ready && !stuck;
  assign out_valid = store_valid && !(fault == 4'd4 && dropped) && (fault != 4'd9 || out_ready);
  assign out_data = head[99:0] + {99'd0, fault == 4'd1 && every} + {99'd0, fault == 4'd5 && taken[0]};
  assign out_last = head[100];
  assign beats = taken;
endmodule
